/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* R in C++ by RInside: embed_rinside FILE waits until FILE is there, serves for a while,
 * and ends. */
#include <RInside.h>
#include <unistd.h>

#include "truth_leaf.h"

namespace service {

static unsigned long turns;

TRUTH_EXPORT SEXP burn(int number)
{
	truth_leaf[number](turns);
	TRUTH_KEEP_FRAME();
	return R_NilValue;
}

TRUTH_EXPORT void wait(const char *name)
{
	while (access(name, F_OK))
		usleep(5000);
	TRUTH_KEEP_FRAME();
}

class Server {
	RInside r;

public:
	TRUTH_EXPORT Server();
	TRUTH_EXPORT void ask(int number);
};

/* From R into the service, and from there into R again. */
TRUTH_EXPORT SEXP again(Rcpp::Function f, int number)
{
	SEXP result = f(number);

	TRUTH_KEEP_FRAME();
	return result;
}

TRUTH_EXPORT Server::Server()
{
	r["burn"] = Rcpp::InternalFunction(&burn);
	r["again"] = Rcpp::InternalFunction(&again);
	r.parseEvalQ("work <- function(n) burn(n)\n"
		     "outer <- function(n) work(n)\n"
		     "invisible(compiler::enableJIT(0))");
	TRUTH_KEEP_FRAME();
}

TRUTH_EXPORT void Server::ask(int number)
{
	switch (number) {
	case 1:
		r.parseEvalQ("outer(1L)");
		break;
	case 2:
		r.parseEvalQ("again(outer, 2L)");
		break;
	default:
		Rcpp::Function("outer")(number);
	}
	TRUTH_KEEP_FRAME();
}

}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	service::turns = truth_measure() * 2;
	service::wait(argv[1]);
	service::Server server;
	for (int i = 0; i < 30; i++)
		for (int number = 1; number <= 3; number++)
			server.ask(number);
	return 0;
}
