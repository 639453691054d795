// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0

// Ground truth for Go that calls C, Tcl and is called back; with leaves.c.
//
//	kinds SECONDS TABLE
//
// Each path burns in a leaf of its own: one of leaves.c, or one in Go (from 901 on).
// TABLE gets the expected stacks, in the form that tests/root/exact describes.  A
// goroutine's outermost frame is runtime.goexit.
package main

/*
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <tcl.h>

#define KEEP_FRAME() __asm__ volatile("" : : : "memory")
#define LEAF(n) unsigned long truth_leaf_##n(unsigned long turns);
LEAF(00) LEAF(01) LEAF(02) LEAF(03) LEAF(04) LEAF(05) LEAF(06) LEAF(07)

void goInner(unsigned long turns);
void goLeaf(unsigned long turns);
void goThread(unsigned long turns);
void goCommand(Tcl_Interp *interp);

__attribute__((noipa)) static void call_inner(unsigned long turns)
{
	goInner(turns);
	KEEP_FRAME();
}
__attribute__((noipa)) static void call_leaf(unsigned long turns)
{
	goLeaf(turns);
	KEEP_FRAME();
}

// A thread that Go has not made.
__attribute__((noipa)) static void *thread(void *turns)
{
	goThread((unsigned long)turns);
	KEEP_FRAME();
	return NULL;
}
static void run_thread(unsigned long turns)
{
	pthread_t t;

	pthread_create(&t, NULL, thread, (void *)turns);
	pthread_join(t, NULL);
}

// The leaf's number, the second word, is 3 or 4.
static int burn(ClientData turns, Tcl_Interp *interp, int objc,
		Tcl_Obj *const objv[])
{
	int n = 0;

	Tcl_GetIntFromObj(interp, objv[1], &n);
	if (n == 3)
		truth_leaf_03((unsigned long)turns);
	else
		truth_leaf_04((unsigned long)turns);
	KEEP_FRAME();
	return TCL_OK;
}
static int back(ClientData turns, Tcl_Interp *interp, int objc,
		Tcl_Obj *const objv[])
{
	goCommand(interp);
	KEEP_FRAME();
	return TCL_OK;
}
static Tcl_Interp *make_interp(unsigned long turns)
{
	Tcl_Interp *interp;

	Tcl_FindExecutable("kinds");
	interp = Tcl_CreateInterp();
	Tcl_CreateObjCommand(interp, "burn", burn, (ClientData)turns, NULL);
	Tcl_CreateObjCommand(interp, "back", back, (ClientData)turns, NULL);
	Tcl_Eval(interp, "proc inner n {burn $n; set a 1};"
			 "proc outer n {inner $n; set a 1};"
			 "proc calls {} {back; set a 1}");
	return interp;
}
*/
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

var turns C.ulong
var interp *C.Tcl_Interp

func burn(n uint64) uint64 {
	x := n
	for ; n > 0; n-- {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}

//go:linkname leaf901 truth_leaf_901
//go:noinline
func leaf901(n uint64) uint64 { return burn(n) }

//go:linkname leaf902 truth_leaf_902
//go:noinline
func leaf902(n uint64) uint64 { return burn(n) }

//go:linkname leaf903 truth_leaf_903
//go:noinline
func leaf903(n uint64) uint64 { return burn(n) }

//go:linkname leaf904 truth_leaf_904
//go:noinline
func leaf904(n uint64) uint64 { return burn(n) }

//go:linkname leaf905 truth_leaf_905
//go:noinline
func leaf905(n uint64) uint64 { return burn(n) }

//go:linkname leaf906 truth_leaf_906
//go:noinline
func leaf906(n uint64) uint64 { return burn(n) }

// ---- Go alone ------------------------------------------------------------------

type shape interface{ area(n uint64) uint64 }
type square struct{ side uint64 }

//go:noinline
func (s *square) area(n uint64) uint64 { return leaf901(n) + s.side }

//go:noinline
func method() {
	var s shape = &square{1}
	s.area(uint64(turns))
}

//go:noinline
func worker(g *sync.WaitGroup) {
	leaf902(uint64(turns))
	g.Done()
}

func goroutines() {
	var g sync.WaitGroup
	g.Add(2)
	go worker(&g)
	go worker(&g)
	g.Wait()
}

// Its stack grows, and moves, on the way.
//
//go:noinline
func deep(level int) uint64 {
	var room [64]uint64
	if level > 0 {
		room[level%64] = deep(level - 1)
	} else {
		room[0] = leaf903(uint64(turns))
	}
	return room[level%64] + 1
}

func grows() {
	done := make(chan uint64)
	go func() { done <- deep(400) }()
	<-done
}

//go:noinline
func fails(p *int) { *p = 1 }

//go:noinline
func cleanup() {
	recover()
	leaf904(uint64(turns))
}

// The fault is a signal; the handler makes it a call.
//
//go:noinline
func panics() {
	defer cleanup()
	fails(nil)
}

// ---- Go and C ------------------------------------------------------------------

//go:noinline
func toC() { C.truth_leaf_01(turns) }

//go:noinline
func callback() { C.call_inner(turns) }

//export goInner
//go:noinline
func goInner(n C.ulong) { C.truth_leaf_02(n) }

//go:noinline
func callbackLeaf() { C.call_leaf(turns) }

//export goLeaf
//go:noinline
func goLeaf(n C.ulong) { leaf905(uint64(n)) }

//go:noinline
func foreign() { C.run_thread(turns) }

//export goThread
//go:noinline
func goThread(n C.ulong) { leaf906(uint64(n)) }

//go:noinline
func eval(script string) {
	s := C.CString(script)
	C.Tcl_Eval(interp, s)
	C.free(unsafe.Pointer(s))
}

//go:noinline
func tcl() { eval("outer 3") }

//go:noinline
func tclBack() { eval("calls") }

//export goCommand
//go:noinline
func goCommand(i *C.Tcl_Interp) { eval("outer 4") }

// Those have no leaf: the clock, which C answers on the thread's stack, and memory.
//
//go:noinline
func clock() {
	for i := 0; i < 50000; i++ {
		time.Now()
	}
}

var sink [][]byte

//go:noinline
func memory() {
	sink = nil
	for i := 0; i < 2000; i++ {
		sink = append(sink, make([]byte, 4096))
	}
}

// ---- all of them ---------------------------------------------------------------

const start = "runtime.goexit;runtime.main;main.main;"

// The runtime interrupts what runs on and on, by a signal.
const interrupted = ";**~runtime\\..*|.*restore_rt.*|.libc.so.6.*"

// Through Go's function into C's, where one may jump to the other, and back.
func call(name string) string {
	return ";main._Cfunc_" + name + ";runtime.cgocall;runtime.asmcgocall" +
		";**~_cgo_[0-9a-f]+_Cfunc_" + name + "|" + stripped
}

// A C function that only the symbol table names.
const stripped = "\\[kinds.0x[0-9a-f]+\\]"

func local(name string) string { return ";~" + name + "|" + stripped }

func back(name string) string {
	return ";~" + name + "|" + stripped + ";crosscall2;runtime.cgocallback;" +
		"**~runtime\\.cgocallbackg1?;~_cgoexp_[0-9a-f]+_" + name + ";main." + name
}

var evaluates = ";main.eval;?main.eval.func1" + call("Tcl_Eval")

var paths = []struct {
	run         func()
	leaf        int
	stack, what string
}{
	{method, 901, start + "main.method;main.(*square).area", "a method"},
	{goroutines, 902, "runtime.goexit;~main\\.goroutines\\.func[12];main.worker",
		"goroutines"},
	{grows, 903, "runtime.goexit;main.grows.func1" + strings.Repeat(";main.deep", 401),
		"a stack that grew"},
	{panics, 904, start + "main.panics;main.fails;runtime.sigpanic;" +
		"**~runtime\\..*;main.cleanup", "a deferred call after a fault"},
	{toC, 1, start + "main.toC" + call("truth_leaf_01"), "Go, C"},
	{callback, 2, start + "main.callback" + call("call_inner") + local("call_inner") +
		back("goInner") + call("truth_leaf_02"), "Go, C, Go, C"},
	{callbackLeaf, 905, start + "main.callbackLeaf" + call("call_leaf") +
		local("call_leaf") + back("goLeaf"), "Go, C, Go"},
	{foreign, 906, "~thread|" + stripped + back("goThread"), "Go on a thread of C"},
	{tcl, 3, start + "main.tcl" + evaluates + ";outer;inner;burn", "Go, Tcl, C"},
	{tclBack, 4, start + "main.tclBack" + evaluates + ";calls;back" +
		back("goCommand") + evaluates + ";outer;inner;burn",
		"Go, Tcl, Go, Tcl, C"},
}

// Turns of a leaf's loop in five milliseconds.
func measure() C.ulong {
	best := time.Hour
	for i := 0; i < 5; i++ {
		from := time.Now()
		C.truth_leaf_00(400000)
		if t := time.Since(from); t < best {
			best = t
		}
	}
	return C.ulong(400000 * 5 * time.Millisecond / best)
}

func writeTable(name string) {
	var table strings.Builder
	for _, p := range paths {
		leaf := fmt.Sprintf("truth_leaf_%02d", p.leaf)
		fmt.Fprintf(&table, "%s\t%s;%s%s\t%s\n", leaf, p.stack, leaf,
			interrupted, p.what)
	}
	if os.WriteFile(name+".new", []byte(table.String()), 0644) != nil ||
		os.Rename(name+".new", name) != nil {
		os.Exit(1)
	}
}

func main() {
	const disableHugePages = 41 // see truth_leaf.h
	syscall.RawSyscall6(syscall.SYS_PRCTL, disableHugePages, 1, 0, 0, 0, 0)
	// A Tcl interpreter belongs to its thread.
	runtime.LockOSThread()
	seconds, _ := strconv.Atoi(os.Args[1])
	turns = measure()
	interp = C.make_interp(turns)
	end := time.Now().Add(time.Duration(seconds) * time.Second)
	writeTable(os.Args[2])
	for time.Now().Before(end) {
		for _, p := range paths {
			p.run()
		}
		clock()
		memory()
	}
}
