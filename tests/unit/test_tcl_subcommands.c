/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The tables of subcommands: sound in themselves, and what they say of Tcl is
 * asked of the tclsh and the libtk that are installed.
 */
#include "walkers/tcl/text/tcl_text.h"

#include <fcntl.h>
#include <setjmp.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <jpbpf/text.h>

#include "user/lib/buf.h"
#include "user/lib/guard.h"

extern char **environ;

/* Standard output of a Tcl script; false: there is no tclsh. */
static bool tclsh(const char *script, struct buf *out)
{
	const char *argv[] = { "tclsh8.6", NULL };
	posix_spawn_file_actions_t actions;
	char bytes[4096];
	int in[2], from[2];
	ssize_t n;
	pid_t pid;
	int err;

	assert_int_equal(pipe2(in, O_CLOEXEC), 0);
	assert_int_equal(pipe2(from, O_CLOEXEC), 0);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
	err = posix_spawnp(&pid, argv[0], &actions, NULL, (char *const *)argv,
			   environ);
	posix_spawn_file_actions_destroy(&actions);
	close(in[0]);
	close(from[1]);
	if (!err)
		assert_int_equal(write(in[1], script, strlen(script)),
				 strlen(script));
	close(in[1]);
	while ((n = read(from[0], bytes, sizeof(bytes))) > 0)
		buf_add(out, bytes, n);
	close(from[0]);
	if (!err)
		waitpid(pid, NULL, 0);
	return !err;
}

/* Does text stand in a line of its own? */
static bool has_line(const char *lines, const char *text)
{
	size_t len = strlen(text);

	for (const char *at = lines; (at = strstr(at, text)); at++) {
		if ((at == lines || at[-1] == '\n') && at[len] == '\n')
			return true;
	}
	return false;
}

static void test_sound(void **state)
{
	u64 key[256];
	size_t n = tcl_subcommands_keys(key, 256);

	(void)state;
	assert_true(n > 0 && n < 256);
	assert_null(tcl_subcommand_names[n]);
	for (size_t i = 0; i < n; i++) {
		assert_true(key[i] != 0);
		for (size_t k = 0; k < i; k++) {
			assert_string_not_equal(tcl_subcommand_names[k],
						tcl_subcommand_names[i]);
			assert_true(key[k] != key[i]);
		}
	}
	assert_int_equal(tcl_subcommands_keys(key, 3), 3);
	assert_int_equal(tcl_subcommands_keys(key, 0), 0);
}

/* An id does not depend on what lies behind the text; frozen, because both sides
 * have it compiled in. */
static void test_id(void **state)
{
	u64 words[TEXT_WORDS] = { 0 }, other[TEXT_WORDS];
	u64 key[32];

	(void)state;
	memset(other, 0xee, sizeof(other));
	memcpy(words, "string map", 10);
	memcpy(other, "string map", 10);
	assert_int_equal(text_id(words, 10), text_id(other, 10));
	assert_true(text_id(words, 10) != text_id(words, 9));
	assert_true(text_id(words, 0) != 0);
	tcl_subcommands_keys(key, 32);
	memset(other, 0xee, sizeof(other));
	memcpy(other, tcl_subcommand_names[2], strlen(tcl_subcommand_names[2]));
	assert_int_equal(key[2],
			 text_id(other, strlen(tcl_subcommand_names[2])));
}

static void test_tcl(void **state)
{
	struct buf commands = { 0 };

	(void)state;
	if (!tclsh("puts [join [info commands] \\n]", &commands))
		skip();
	for (size_t i = 0; strcmp(tcl_subcommand_names[i], "timer"); i++) {
		print_message("# %s\n", tcl_subcommand_names[i]);
		assert_true(
			has_line(buf_text(&commands), tcl_subcommand_names[i]));
	}
	buf_release(&commands);
}

/* Commands written in C that say "must be" of a first argument that is wrong and
 * are not in the table. */
static void test_complete(void **state)
{
	static const char script[] =
		"set skip {exit read gets vwait}\n"
		"foreach c [info commands] {\n"
		"  if {$c in $skip || [llength [info procs $c]]} continue\n"
		"  catch {$c xyzzy a b} e\n"
		"  if {[regexp {\"xyzzy\": must be} $e]} {puts $c}\n"
		"}\n";
	struct buf found = { 0 };
	size_t seen = 0;

	(void)state;
	if (!tclsh(script, &found))
		skip();
	for (char *line = found.data, *end; (end = strchr(line, '\n'));
	     line = end + 1) {
		bool in = false;

		*end = '\0';
		for (size_t i = 0; tcl_subcommand_names[i]; i++)
			in |= !strcmp(tcl_subcommand_names[i], line);
		/* Options, not subcommands. */
		in |= !strcmp(line, "lsearch") || !strcmp(line, "lsort") ||
		      !strcmp(line, "source") || !strcmp(line, "subst");
		print_message("# %s\n", line);
		assert_true(in);
		seen++;
	}
	assert_true(seen > 10);
	buf_release(&found);
}

/* Every ensemble of C commands, from its own map. */
static void test_ensembles(void **state)
{
	static const char script[] =
		"proc walk ns {\n"
		"  foreach c [info commands ${ns}::*] {\n"
		"    if {[catch {namespace ensemble configure $c -map} map]} "
		"continue\n"
		"    foreach {sub is} $map {\n"
		"      if {[llength [info procs $is]]} continue\n"
		"      if {[namespace which $is] ne $is} continue\n"
		"      if {[namespace qualifiers $c] ne {} && "
		"![string match ::tcl::binary::* $c]} continue\n"
		"      if {![catch {namespace ensemble configure $is}]} "
		"continue\n"
		"      puts [namespace qualifiers $is]\n"
		"      puts [namespace tail $is]\n"
		"      puts \"[string map {::tcl:: {} :: { }} "
		"[string trimleft $c :]] $sub\"\n"
		"    }\n"
		"  }\n"
		"  foreach n [namespace children $ns] {walk $n}\n"
		"}\n"
		"walk {}\n";
	struct buf out = { 0 };
	char *rest, *ns, *name, *expected;
	size_t seen = 0;

	(void)state;
	if (!tclsh(script, &out))
		skip();
	rest = out.data;
	while ((ns = strsep(&rest, "\n")) && rest) {
		const char *ensemble;
		struct buf got = { 0 };

		name = strsep(&rest, "\n");
		expected = strsep(&rest, "\n");
		assert_non_null(expected);
		/* chan configure is another command, ::fconfigure. */
		if (!*ns)
			continue;
		if (!strncmp(expected, "tcl binary ", 11))
			expected += 4;
		print_message("# %s %s\n", ns, name);
		ensemble = tcl_subcommands_ensemble(ns, name);
		assert_non_null(ensemble);
		buf_addf(&got, "%s %s", ensemble, name);
		assert_string_equal(buf_text(&got), expected);
		buf_release(&got);
		seen++;
	}
	assert_true(seen > 100);
	buf_release(&out);
}

static void test_not_ensembles(void **state)
{
	(void)state;
	assert_null(tcl_subcommands_ensemble("::", "map"));
	assert_null(tcl_subcommands_ensemble("", "map"));
	assert_null(tcl_subcommands_ensemble("::tcl", "map"));
	assert_null(tcl_subcommands_ensemble("::tcl::string::a", "map"));
	assert_null(tcl_subcommands_ensemble("::tcl::string", ""));
	assert_null(tcl_subcommands_ensemble("::tcl::clock", "formatproc'%Y'"));
	assert_null(tcl_subcommands_ensemble("::tcl::clock", "Parse"));
	assert_null(tcl_subcommands_ensemble("::tcl::mathfunc", "sin"));
	assert_null(tcl_subcommands_ensemble("::tcl::clock", "getenv"));
	assert_null(tcl_subcommands_ensemble("::tcl::clock", "mc"));
	assert_null(tcl_subcommands_ensemble("::tcl::clock", "mcload"));
	assert_non_null(
		tcl_subcommands_ensemble("::tcl::clock", "milliseconds"));
}

/* What lives beside the subcommands of an ensemble and is none, once its library is
 * read. */
static void test_helpers(void **state)
{
	static const char script[] =
		"clock format 0 -locale de\n"
		"clock scan 2001-01-01 -format %Y-%m-%d\n"
		"foreach e {array binary chan clock dict encoding file info "
		"namespace string} {\n"
		"  set map [namespace ensemble configure $e -map]\n"
		"  foreach c [info commands ::tcl::${e}::*] {\n"
		"    if {$c ni [dict values $map]} {\n"
		"      puts ::tcl::$e\n"
		"      puts [namespace tail $c]\n"
		"    }\n"
		"  }\n"
		"}\n";
	struct buf out = { 0 };
	char *rest, *ns, *name;
	size_t seen = 0;

	(void)state;
	if (!tclsh(script, &out))
		skip();
	rest = out.data;
	while ((ns = strsep(&rest, "\n")) && rest) {
		name = strsep(&rest, "\n");
		print_message("# %s %s\n", ns, name);
		assert_null(tcl_subcommands_ensemble(ns, name));
		seen++;
	}
	assert_true(seen > 20);
	buf_release(&out);
}

/* Tk's names as its library has them, between two NULs. */
static void test_tk(void **state)
{
	_cleanup_close_ int fd = open("/usr/lib/x86_64-linux-gnu/libtk8.6.so",
				      O_RDONLY | O_CLOEXEC);
	struct stat st;
	bool tk = false;
	char *bytes;

	(void)state;
	if (fd < 0 || fstat(fd, &st))
		skip();
	bytes = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	assert_true(bytes != MAP_FAILED);
	for (size_t i = 0; tcl_subcommand_names[i]; i++) {
		char name[64];
		int len = snprintf(name, sizeof(name), "%s",
				   tcl_subcommand_names[i]);

		tk |= !strcmp(name, ".");
		if (!tk)
			continue;
		print_message("# %s\n", name);
		/* With the NUL; what precedes may be another's end. */
		assert_non_null(memmem(bytes, st.st_size, name, len + 1));
	}
	munmap(bytes, st.st_size);
}

static void test_is(void **state)
{
	static const struct {
		const char *text;
		bool is;
	} cases[] = {
		{ "map", true },  { "InfoClass", true },   { "a1_b", true },
		{ "", false },	  { "100", false },	   { "-x", false },
		{ ".w", false },  { "a;b", false },	   { "a b", false },
		{ "a\n", false }, { "gr\xc3\xb6", false }, { "_a", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		print_message("# '%s'\n", cases[i].text);
		assert_int_equal(tcl_subcommands_is(cases[i].text),
				 cases[i].is);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sound),
		cmocka_unit_test(test_id),
		cmocka_unit_test(test_tcl),
		cmocka_unit_test(test_complete),
		cmocka_unit_test(test_ensembles),
		cmocka_unit_test(test_not_ensembles),
		cmocka_unit_test(test_helpers),
		cmocka_unit_test(test_tk),
		cmocka_unit_test(test_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
