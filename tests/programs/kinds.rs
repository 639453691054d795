// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0

//! Ground truth for Rust that calls C, Tcl and R, and is called back; with leaves.c.
//!
//!   kinds SECONDS TABLE             built with --cfg tcl or --cfg r
//!
//! Each path burns in a leaf of its own.  TABLE gets the expected stacks, in the form
//! that tests/root/exact describes; what starts main stands outermost, `**`.
#![allow(dead_code, unused_imports, unused_unsafe)] // a part of it is compiled

use std::arch::asm;
use std::ffi::CString;
use std::fs;
use std::os::raw::{c_char, c_int, c_ulong, c_void};
use std::panic::{self, AssertUnwindSafe};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

extern "C" {
    fn prctl(option: c_int, value: c_ulong, ...) -> c_int;
    fn truth_leaf_00(turns: c_ulong) -> c_ulong;
    fn truth_leaf_01(turns: c_ulong) -> c_ulong;
    fn truth_leaf_02(turns: c_ulong) -> c_ulong;
    fn truth_leaf_03(turns: c_ulong) -> c_ulong;
    fn truth_leaf_04(turns: c_ulong) -> c_ulong;
    fn truth_leaf_05(turns: c_ulong) -> c_ulong;
    fn truth_leaf_06(turns: c_ulong) -> c_ulong;
    fn truth_leaf_07(turns: c_ulong) -> c_ulong;
    fn truth_leaf_08(turns: c_ulong) -> c_ulong;
}

// Nothing is known of the value any more, so what made it was not for nothing, and a
// call in front of it is no jump.
#[inline(always)]
fn keep<T>(value: T) -> T {
    unsafe { asm!("/* {} */", in(reg) &value, options(nostack, preserves_flags)) };
    value
}

static TURNS: AtomicU64 = AtomicU64::new(0);

macro_rules! burn {
    ($leaf:ident) => {
        keep(unsafe { $leaf(TURNS.load(Relaxed)) })
    };
}

// ---- Rust alone -----------------------------------------------------------------

trait Shape {
    fn area(&self) -> u64;
}

struct Boxed<T> {
    side: T,
}

impl Shape for Boxed<u64> {
    #[inline(never)]
    fn area(&self) -> u64 {
        burn!(truth_leaf_01) + self.side
    }
}

#[inline(never)]
fn method() {
    let shape: Box<dyn Shape> = Box::new(Boxed { side: 1u64 });
    keep(shape.area());
}

#[inline(never)]
fn apply<F: Fn(u64) -> u64>(f: F) -> u64 {
    f(1) + 1
}

#[inline(never)]
fn closure() {
    let n = keep(3);
    keep(apply(
        #[inline(never)]
        |m| burn!(truth_leaf_02) + m + n,
    ));
}

struct Guard;

impl Drop for Guard {
    #[inline(never)]
    fn drop(&mut self) {
        burn!(truth_leaf_03);
    }
}

#[inline(never)]
fn guarded() {
    let _guard = Guard;
    panic::resume_unwind(Box::new(1));
}

#[inline(never)]
fn panics() {
    keep(panic::catch_unwind(AssertUnwindSafe(guarded)).is_err());
}

#[inline(never)]
fn worker() {
    burn!(truth_leaf_04);
}

#[inline(never)]
fn threads() {
    let all: Vec<_> = (0..2).map(|_| thread::spawn(worker)).collect();
    for t in all {
        t.join().unwrap();
    }
}

// ---- Tcl ------------------------------------------------------------------------

#[cfg(tcl)]
mod tcl {
    use super::*;

    type Command = unsafe extern "C" fn(*mut c_void, *mut c_void, c_int, *const *mut c_void) -> c_int;
    extern "C" {
        fn Tcl_FindExecutable(name: *const c_char);
        fn Tcl_CreateInterp() -> *mut c_void;
        fn Tcl_Eval(interp: *mut c_void, script: *const c_char) -> c_int;
        fn Tcl_CreateObjCommand(
            interp: *mut c_void,
            name: *const c_char,
            command: Command,
            data: *mut c_void,
            delete: *mut c_void,
        ) -> *mut c_void;
    }

    unsafe extern "C" fn burn5(_: *mut c_void, _: *mut c_void, _: c_int, _: *const *mut c_void) -> c_int {
        burn!(truth_leaf_05);
        0
    }
    unsafe extern "C" fn burn6(_: *mut c_void, _: *mut c_void, _: c_int, _: *const *mut c_void) -> c_int {
        burn!(truth_leaf_06);
        0
    }
    unsafe extern "C" fn back(_: *mut c_void, interp: *mut c_void, _: c_int, _: *const *mut c_void) -> c_int {
        Interp(interp).eval("outer burn6");
        keep(0)
    }

    pub struct Interp(*mut c_void);

    impl Interp {
        pub fn new() -> Interp {
            let c = |s| CString::new(s).unwrap();
            unsafe {
                Tcl_FindExecutable(c("kinds").as_ptr());
                let interp = Tcl_CreateInterp();
                let commands = [("burn5", burn5 as Command), ("burn6", burn6), ("back", back)];
                for (name, command) in commands {
                    Tcl_CreateObjCommand(interp, c(name).as_ptr(), command, null_mut(), null_mut());
                }
                let interp = Interp(interp);
                interp.eval("proc inner c {$c; set a 1}");
                interp.eval("proc outer c {inner $c; set a 1}");
                interp.eval("proc calls {} {back; set a 1}");
                interp
            }
        }
        #[inline(never)]
        pub fn eval(&self, script: &str) {
            let script = CString::new(script).unwrap();
            keep(unsafe { Tcl_Eval(self.0, script.as_ptr()) });
        }
    }
}

// ---- R --------------------------------------------------------------------------

#[cfg(r)]
mod r {
    use super::*;

    extern "C" {
        static R_GlobalEnv: *mut c_void;
        static R_NilValue: *mut c_void;
        static mut R_SignalHandlers: c_int;
        fn Rf_initEmbeddedR(argc: c_int, argv: *mut *mut c_char) -> c_int;
        fn Rf_mkString(text: *const c_char) -> *mut c_void;
        fn Rf_protect(x: *mut c_void) -> *mut c_void;
        fn Rf_unprotect(n: c_int);
        fn R_PreserveObject(x: *mut c_void);
        fn Rf_install(name: *const c_char) -> *mut c_void;
        fn Rf_defineVar(symbol: *mut c_void, value: *mut c_void, env: *mut c_void);
        fn R_ParseVector(text: *mut c_void, n: c_int, status: *mut c_int, file: *mut c_void) -> *mut c_void;
        fn R_tryEval(call: *mut c_void, env: *mut c_void, error: *mut c_int) -> *mut c_void;
        fn R_MakeExternalPtr(at: *mut c_void, tag: *mut c_void, keep: *mut c_void) -> *mut c_void;
        fn VECTOR_ELT(x: *mut c_void, i: isize) -> *mut c_void;
    }

    #[no_mangle]
    unsafe extern "C" fn kinds_r_burn() -> *mut c_void {
        if IS_BACK.load(Relaxed) == 0 {
            burn!(truth_leaf_07);
        } else {
            burn!(truth_leaf_08);
        }
        R_NilValue
    }
    #[no_mangle]
    unsafe extern "C" fn kinds_r_back() -> *mut c_void {
        IS_BACK.store(1, Relaxed);
        INNER.with(|inner| inner.eval());
        IS_BACK.store(0, Relaxed);
        R_NilValue
    }

    static IS_BACK: AtomicU64 = AtomicU64::new(0);
    thread_local!(static INNER: Program = Program::parse("inner()"));

    pub struct Program(*mut c_void);

    impl Program {
        pub fn parse(text: &str) -> Program {
            let text = CString::new(text).unwrap();
            let mut status = 0;
            unsafe {
                let text = Rf_protect(Rf_mkString(text.as_ptr()));
                let call = VECTOR_ELT(R_ParseVector(text, -1, &mut status, R_NilValue), 0);
                R_PreserveObject(call);
                Rf_unprotect(1);
                Program(call)
            }
        }
        #[inline(never)]
        pub fn eval(&self) {
            let mut failed = 0;
            keep(unsafe { R_tryEval(self.0, R_GlobalEnv, &mut failed) });
            if failed != 0 {
                std::process::exit(1);
            }
        }
        pub fn start() {
            let c = |s| CString::new(s).unwrap();
            let define = |name, f: unsafe extern "C" fn() -> *mut c_void| unsafe {
                let tag = Rf_install(c("native symbol").as_ptr());
                let pointer = R_MakeExternalPtr(f as *mut c_void, tag, R_NilValue);
                Rf_defineVar(Rf_install(c(name).as_ptr()), pointer, R_GlobalEnv);
            };
            unsafe {
                R_SignalHandlers = 0;
                let mut argv = ["R", "--vanilla", "--no-echo"].map(|a| c(a).into_raw());
                Rf_initEmbeddedR(3, argv.as_mut_ptr());
            }
            define("kinds_r_burn", kinds_r_burn);
            define("kinds_r_back", kinds_r_back);
            Program::parse("inner <- function() { .Call(kinds_r_burn); 1 }").eval();
            Program::parse("outer <- function() { lapply(1, function(x) inner()); 1 }").eval();
            Program::parse("calls <- function() { .Call(kinds_r_back); 1 }").eval();
        }
    }
}

// ---- all of them ----------------------------------------------------------------

type Path<'a> = (Box<dyn Fn() + 'a>, u32, &'static str, &'static str);

// A frame `~PATTERN`: the two ways to write names differ in what is generic.
fn rust() -> Vec<Path<'static>> {
    vec![
        (
            Box::new(method),
            1,
            "kinds::method;<kinds::Boxed<u64> as kinds::Shape>::area",
            "a method of a trait",
        ),
        (
            Box::new(closure),
            2,
            "kinds::closure;~kinds::apply(::<.*>)?;~kinds::closure::.{1,2}closure.*",
            "a closure, generic",
        ),
        (
            Box::new(panics),
            3,
            "kinds::panics;**~.*(panic|closure|__rust_try).*;kinds::guarded;**~core::ptr::drop_in_place.*;\
             <kinds::Guard as core::ops::drop::Drop>::drop",
            "a destructor while a panic unwinds",
        ),
        (
            Box::new(threads),
            4,
            "**~std::sys.*;**~.*(FnOnce|closure|panic|try|backtrace).*;kinds::worker",
            "threads",
        ),
    ]
}

#[cfg(tcl)]
fn foreign() -> Vec<Path<'static>> {
    let outside: &tcl::Interp = Box::leak(Box::new(tcl::Interp::new()));
    vec![
        (
            Box::new(|| outside.eval("outer burn5")),
            5,
            "?~kinds::foreign.*;~<?kinds::tcl::Interp>?::eval;outer;inner;burn5",
            "Rust, Tcl, Rust, C",
        ),
        (
            Box::new(|| outside.eval("calls")),
            6,
            "?~kinds::foreign.*;~<?kinds::tcl::Interp>?::eval;calls;back;~<?kinds::tcl::Interp>?::eval;\
             outer;inner;burn6",
            "Rust, Tcl, Rust, Tcl, Rust, C",
        ),
    ]
}

#[cfg(r)]
fn foreign() -> Vec<Path<'static>> {
    r::Program::start();
    let outer = r::Program::parse("outer()");
    let calls = r::Program::parse("calls()");
    vec![
        (
            Box::new(move || outer.eval()),
            7,
            "?~kinds::foreign.*;~<?kinds::r::Program>?::eval;outer;base::lapply;FUN;inner;kinds_r_burn",
            "Rust, R, Rust, C",
        ),
        (
            Box::new(move || calls.eval()),
            8,
            "?~kinds::foreign.*;~<?kinds::r::Program>?::eval;calls;kinds_r_back;\
             ~<?kinds::r::Program>?::eval;inner;kinds_r_burn",
            "Rust, R, Rust, R, Rust, C",
        ),
    ]
}

// Turns of a leaf's loop in five milliseconds.
fn measure() -> u64 {
    let best = (0..5)
        .map(|_| {
            let from = Instant::now();
            unsafe { truth_leaf_00(400000) };
            from.elapsed()
        })
        .min();
    400000 * 5_000_000 / best.unwrap().as_nanos() as u64
}

fn write_table(paths: &[Path], name: &str) {
    let rows: String = paths
        .iter()
        .map(|(_, leaf, stack, what)| {
            format!("truth_leaf_{leaf:02}\t**;{stack};truth_leaf_{leaf:02}\t{what}\n")
        })
        .collect();
    fs::write(format!("{name}.new"), rows).unwrap();
    fs::rename(format!("{name}.new"), name).unwrap();
}

fn main() {
    const DISABLE_HUGE_PAGES: c_int = 41; // see truth_leaf.h
    unsafe { prctl(DISABLE_HUGE_PAGES, 1, 0, 0, 0) };
    let args: Vec<String> = std::env::args().collect();
    let mut paths = rust();
    paths.extend(foreign());
    TURNS.store(measure(), Relaxed);
    write_table(&paths, &args[2]);
    let end = Instant::now() + Duration::from_secs(args[1].parse().unwrap());
    while Instant::now() < end {
        for (run, ..) in &paths {
            run();
        }
    }
}
