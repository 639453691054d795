#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# R in a C and in a C++ program: every sample has every frame of the program's own, also
# while R starts.
# Runs beside others.
# shellcheck source=tests/root/scene.sh disable=SC2119
. "$(dirname "$0")/scene.sh"
rinside=/usr/lib/R/site-library
need "$JPBPF" g++ pkg-config R "$rinside/RInside" "$PROGRAMS/embed_r"

# shellcheck disable=SC2046 # options
g++ -std=gnu++17 -O0 -fomit-frame-pointer $(pkg-config --cflags libR) \
	-I$rinside/Rcpp/include -I$rinside/RInside/include \
	"$sources/embed_rinside.cpp" -L$rinside/RInside/lib \
	-Wl,-rpath,$rinside/RInside/lib -lRInside $(pkg-config --libs libR) \
	-o "$work/embed_rinside" || blame 'embed_rinside.cpp does not build'
R_HOME=$(R RHOME)
export R_HOME
host "$PROGRAMS/embed_r" "$go"
host "$work/embed_rinside" "$go"
profile_hosts
verdict "programs with R in them are profiled, $taken samples"

begins embed_r 'main(;service_| )|exit;'
shows '^embed_r;main;service_start;base::\.First\.sys;' "$work/host"
verdict 'C: all stacks have main() and the service, also while R starts'
rows embed_r <<'END'
01 main;service_start;service_prepare
02 main;service_loop;service_request;outer;work;.Call;service_burn
03 main;service_loop;service_request;outer;work;.Call;service_burn
04 main;service_loop;service_request;service_body;outer;work;.Call;service_burn
05 main;service_loop;service_request;again;.Call;service_again;service_deep;outer;work;.Call;service_burn
06 main;service_loop;service_request;talk;base::cat;service_write
07 main;service_console;service_read
08 main;service_console;outer;work;.Call;service_burn
09 main;service_main_loop;service_read
10 main;service_main_loop;outer;work;.Call;service_burn
END

begins embed_rinside 'main(;service::| )|exit;'
shows '^embed_rinside;main;service::Server::Server;RInside::RInside;.*RInside::initialize;base::\.First\.sys;' \
	"$work/host"
verdict 'C++: all stacks have main() and the service, also while R starts'
rows embed_rinside <<'END'
01 main;service::Server::ask;RInside::parseEvalQ;**~RInside::.*;outer;work;burn;.External;InternalFunction_invoke;**~Rcpp::.*;service::burn
02 main;service::Server::ask;RInside::parseEvalQ;**~RInside::.*;again;.External;InternalFunction_invoke;**~Rcpp::.*;service::again;**~Rcpp::.*;outer;work;burn;.External;InternalFunction_invoke;**~Rcpp::.*;service::burn
03 main;service::Server::ask;~Rcpp::.*;**~Rcpp::.*;outer;work;burn;.External;InternalFunction_invoke;**~Rcpp::.*;service::burn
END
exit "$failed"
