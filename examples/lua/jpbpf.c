/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Stock Lua 5.4 tells its activations, by its own debug hooks.
 *
 *     lua5.4 -l jpbpf main.lua             calls
 *     JPI_OPTIONS=lines lua5.4 -l jpbpf main.lua   and lines, which costs more
 *
 * A hook is called where a function begins and where it returns.  It enters and leaves the
 * function on the shadow stack.  A frame's id is the address of Lua's CallInfo.
 *
 * Errors skip the returns.  So each call first leaves what is not its caller's any more, and
 * the return of pcall() leaves what the error has passed over.
 *
 * Keys.  The hook runs inward of the C function that will run the Lua function, so the key is
 * not the hook's own stack pointer.  It is that of the evaluator (luaV_execute), or for a C
 * function that of its caller.  The distance between the two is the same for each kind of
 * event of a build.  It is found once by the unwinder of the C compiler, and is checked each
 * time: the return address below the key must be the one that was seen then.
 *
 * Coroutines have no C stack of their own.  When one is resumed, lua_resume() runs all of its
 * frames.
 */
#define _GNU_SOURCE
#include <jpbpf-interp.h>

#include <lauxlib.h>
#include <lua.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

#define MOST_FRAMES 64 /* of C that are looked at */

/* ------------------------------------------------------------------- keys */

enum kind { LUA_FUNCTION, C_FUNCTION, RESUMED, KINDS };

/* Frames of C, the innermost first. */
struct trace {
	struct c_frame {
		uintptr_t function, key; /* key: its stack pointer */
	} frame[MOST_FRAMES];
	int n;
	uintptr_t cfa; /* of the frame before */
};

static struct {
	uintptr_t distance, back; /* back: the return address */
} place[KINDS];
static uintptr_t evaluator; /* where luaV_execute() begins */

static _Unwind_Reason_Code take_frame(struct _Unwind_Context *c, void *trace)
{
	struct trace *t = trace;

	if (t->n == MOST_FRAMES)
		return _URC_END_OF_STACK;
	t->frame[t->n++] = (struct c_frame){ _Unwind_GetRegionStart(c), t->cfa };
	t->cfa = _Unwind_GetCFA(c);
	return _URC_NO_REASON;
}

static uintptr_t key_of(const struct trace *t, uintptr_t function)
{
	for (int i = 0; i < t->n; i++)
		if (t->frame[i].function == function)
			return t->frame[i].key;
	return 0;
}

/* luaD_hook() called the hook, and its caller calls the function. */
static uintptr_t outward_of(const struct trace *t, uintptr_t here)
{
	for (int i = 0; i < t->n; i++)
		if (t->frame[i].key > here)
			return t->frame[i].key;
	return 0;
}

/* The key for an event of the hook in whose frame `here` is. */
static uintptr_t find_key(enum kind kind, uintptr_t here)
{
	const uintptr_t *back = (uintptr_t *)(here + place[kind].distance) - 1;
	struct trace t = { .n = 0 };
	uintptr_t key;

	if (place[kind].distance && *back == place[kind].back)
		return (uintptr_t)(back + 1);
	_Unwind_Backtrace(take_frame, &t);
	key = kind == C_FUNCTION ? outward_of(&t, here)
	      : kind == RESUMED	 ? key_of(&t, (uintptr_t)lua_resume)
				 : key_of(&t, evaluator);
	if (!key)
		return here;
	place[kind].distance = key - here;
	place[kind].back = ((uintptr_t *)key)[-1];
	return key;
}

/* ---------------------------------------------------------------- methods */

static struct named {
	struct named *next;
	struct jpi_method m;
} *named; /* never freed: a reader may have one */

static const char registry_key, threads_key;

/* "string.rep", if the function on top is in a loaded module. */
static bool push_global_name(lua_State *L)
{
	int top = lua_gettop(L);

	lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
	for (lua_pushnil(L); lua_next(L, top + 1); lua_pop(L, 1)) {
		if (lua_type(L, -2) != LUA_TSTRING || !lua_istable(L, -1))
			continue;
		for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
			if (lua_type(L, -2) != LUA_TSTRING || !lua_rawequal(L, -1, top))
				continue;
			if (strcmp(lua_tostring(L, -4), "_G"))
				lua_pushfstring(L, "%s.%s", lua_tostring(L, -4), lua_tostring(L, -2));
			else
				lua_pushvalue(L, -2);
			lua_replace(L, top + 1);
			lua_settop(L, top + 1);
			return true;
		}
	}
	lua_settop(L, top);
	return false;
}

static const struct jpi_method *name_it(lua_State *L, lua_Debug *ar)
{
	struct named *n;
	const char *name, *file;
	int top = lua_gettop(L);

	lua_getinfo(L, "nS", ar);
	if (push_global_name(L))
		name = lua_tostring(L, -1);
	else if (*ar->what == 'm')
		name = "main chunk";
	else
		name = ar->name ? ar->name : lua_pushfstring(L, "function:%d", ar->linedefined);
	file = *ar->what == 'C' ? NULL : ar->source + (*ar->source == '@');
	for (n = named; n; n = n->next)
		if (!strcmp(n->m.name, name) && n->m.user == (uint64_t)ar->linedefined &&
		    (file ? n->m.file && !strcmp(n->m.file, file) : !n->m.file))
			break;
	if (!n && (n = calloc(1, sizeof(*n)))) {
		n->m = (struct jpi_method){ .size = sizeof(n->m),
					    .name = strdup(name),
					    .file = file ? strdup(file) : NULL,
					    .user = ar->linedefined };
		n->next = named;
		named = n;
	}
	lua_settop(L, top);
	return n && n->m.name ? &n->m : NULL;
}

/* Functions die; the table that knows their methods does not keep them. */
static const struct jpi_method *method_of(lua_State *L, lua_Debug *ar)
{
	const struct jpi_method *m;

	lua_getinfo(L, "f", ar);
	lua_rawgetp(L, LUA_REGISTRYINDEX, &registry_key);
	lua_pushvalue(L, -2);
	m = lua_rawget(L, -2) == LUA_TLIGHTUSERDATA ? lua_touserdata(L, -1) : NULL;
	lua_pop(L, 1);
	if (!m) {
		lua_pushvalue(L, -2);
		m = name_it(L, ar);
		lua_pushlightuserdata(L, (void *)m);
		lua_rawset(L, -3);
	}
	lua_pop(L, 2);
	return m;
}

/* ------------------------------------------------------------- coroutines */

static lua_State *current;

static int free_stack(lua_State *L)
{
	jpi_stack_free(*(struct jpi_stack **)lua_touserdata(L, 1));
	return 0;
}

/* The stack of L, made when it is new. */
static struct jpi_stack *stack_of(lua_State *L)
{
	struct jpi_stack *s = NULL, **slot;

	lua_rawgetp(L, LUA_REGISTRYINDEX, &threads_key);
	lua_pushthread(L);
	if (lua_rawget(L, -2) == LUA_TUSERDATA) {
		s = *(struct jpi_stack **)lua_touserdata(L, -1);
	} else {
		lua_pushthread(L);
		slot = lua_newuserdatauv(L, sizeof(struct jpi_stack *), 0);
		*slot = s = jpi_stack_new(NULL, NULL, NULL);
		lua_createtable(L, 0, 1);
		lua_pushcfunction(L, free_stack);
		lua_setfield(L, -2, "__gc");
		lua_setmetatable(L, -2);
		lua_rawset(L, -4);
	}
	lua_pop(L, 2);
	return s;
}

/* Another coroutine runs: it was resumed, or who resumed the last one goes on. */
static void change(lua_State *L, uintptr_t here)
{
	struct jpi_stack *s = stack_of(L), *o = jpi_thread.stack;

	if (!s)
		return;
	current = L;
	while (o && o != s)
		o = o->outer;
	if (o) {
		jpi_switch(s);
		return;
	}
	s->rebased = 0;
	JPI_ORDER();
	s->rebase_key = find_key(RESUMED, here);
	JPI_ORDER();
	s->rebased = s->depth;
	jpi_resume(s);
}

/* ------------------------------------------------------------------ hooks */

/* Frames down to the one with this id, which stays; 0: it is not there. */
static uint64_t depth_of(const struct jpi_stack *s, uint64_t depth, const void *id)
{
	const struct jpi_frame *f = (const struct jpi_frame *)(s + 1);

	if (depth > s->room)
		depth = s->room;
	while (depth && f[depth - 1].id != (uintptr_t)id)
		depth--;
	return depth;
}

static void begin(lua_State *L, lua_Debug *ar, uintptr_t here)
{
	struct jpi_stack *s = jpi_thread.stack;
	const struct jpi_method *m = method_of(L, ar);
	uint64_t depth = s->depth;
	lua_Debug caller;

	if (ar->event == LUA_HOOKTAILCALL)
		depth = depth_of(s, depth, ar->i_ci) ? depth_of(s, depth, ar->i_ci) - 1 : depth;
	else if (lua_getstack(L, 1, &caller))
		depth = depth_of(s, depth, caller.i_ci);
	else
		depth = 0;
	if (depth != s->depth)
		jpi_leave(depth);
	/* A coroutine has the name of its function. */
	if (m && s->outer && !s->name)
		s->name = m->name;
	if (m)
		jpi_enter_at(m, find_key(m->file ? LUA_FUNCTION : C_FUNCTION, here),
			     (uintptr_t)ar->i_ci);
}

static __attribute__((noinline)) void hook(lua_State *L, lua_Debug *ar)
{
	uintptr_t here = (uintptr_t)__builtin_dwarf_cfa();
	struct jpi_stack *s;
	uint64_t depth;

	if (L != current)
		change(L, here);
	s = jpi_thread.stack;
	switch (ar->event) {
	case LUA_HOOKCALL:
	case LUA_HOOKTAILCALL:
		begin(L, ar, here);
		break;
	case LUA_HOOKRET:
		depth = depth_of(s, s->depth, ar->i_ci);
		if (depth)
			jpi_leave(depth - 1);
		break;
	case LUA_HOOKLINE:
		depth = depth_of(s, s->depth, ar->i_ci);
		if (depth)
			jpi_at(depth - 1, ar->currentline);
	}
}

/* --------------------------------------------------------------- begin, end */

static struct trace seen[2];

static int look(lua_State *L)
{
	struct trace *t = &seen[lua_toboolean(L, 1)];

	memset(t, 0, sizeof(*t));
	_Unwind_Backtrace(take_frame, t);
	return 0;
}

static void look_by_hook(lua_State *L, lua_Debug *ar)
{
	(void)L, (void)ar;
	memset(&seen[1], 0, sizeof(seen[1]));
	_Unwind_Backtrace(take_frame, &seen[1]);
}

/* The evaluator is the innermost function that both a C function and the hook of a line find
 * outward of them, in the same frame, when the same Lua function runs. */
static bool find_evaluator(lua_State *L)
{
	lua_pushcfunction(L, look);
	lua_setglobal(L, "jpbpf_look");
	lua_sethook(L, look_by_hook, LUA_MASKLINE, 0);
	if (luaL_dostring(L, "jpbpf_look(false)\nlocal a = 1"))
		return false;
	lua_sethook(L, NULL, 0, 0);
	lua_pushnil(L);
	lua_setglobal(L, "jpbpf_look");
	for (int i = 0; i < seen[0].n; i++)
		for (int k = 0; k < seen[1].n; k++) {
			if (seen[0].frame[i].function != seen[1].frame[k].function ||
			    seen[0].frame[i].key != seen[1].frame[k].key)
				continue;
			evaluator = seen[0].frame[i].function;
			return true;
		}
	return false;
}

/* The functions that are entered, the innermost first; nil if those of Lua are others. */
static int check(lua_State *L)
{
	const struct jpi_stack *s = jpi_thread.stack;
	const struct jpi_frame *f = (const struct jpi_frame *)(s + 1);
	lua_Debug ar;
	int n = 0;

	lua_newtable(L);
	for (uint64_t d = s->depth; d; d--) {
		if (!lua_getstack(L, n, &ar) || f[d - 1].id != (uintptr_t)ar.i_ci ||
		    f[d - 1].method != method_of(L, &ar))
			return 0;
		lua_pushstring(L, f[d - 1].method->name);
		lua_rawseti(L, -2, ++n);
	}
	return 1;
}

static int stop(lua_State *L)
{
	lua_sethook(L, NULL, 0, 0);
	jpi_leave(0);
	return 0;
}

static void new_weak_table(lua_State *L, const void *key)
{
	lua_newtable(L);
	lua_createtable(L, 0, 1);
	lua_pushliteral(L, "k");
	lua_setfield(L, -2, "__mode");
	lua_setmetatable(L, -2);
	lua_rawsetp(L, LUA_REGISTRYINDEX, key);
}

int luaopen_jpbpf(lua_State *L)
{
	static const luaL_Reg functions[] = { { "check", check }, { "stop", stop }, { NULL, NULL } };
	int lines = jpi_option("lines") ? LUA_MASKLINE : 0;

	if (jpi_init(LUA_VERSION, 0) || !find_evaluator(L))
		return luaL_error(L, "jpbpf: this Lua cannot be followed");
	new_weak_table(L, &registry_key);
	new_weak_table(L, &threads_key);
	jpi_switch(stack_of(L));
	current = L;
	lua_sethook(L, hook, LUA_MASKCALL | LUA_MASKRET | lines, 0);
	luaL_newlib(L, functions);
	return 1;
}
