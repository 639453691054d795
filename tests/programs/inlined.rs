// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0

//! Ground truth for what Rust's compiler inlines; with leaves.c.
//!
//!   inlined SECONDS
//!
//! Lines that a test refers to end in a comment with a name.
use std::arch::asm;
use std::os::raw::c_ulong;
use std::time::{Duration, Instant};

extern "C" {
    fn truth_leaf_01(turns: c_ulong) -> c_ulong;
    fn truth_leaf_02(turns: c_ulong) -> c_ulong;
}

struct Held<T> {
    value: T,
}

impl Held<u64> {
    #[inline(always)]
    fn inner(&self, n: u64) -> u64 {
        unsafe { truth_leaf_01(n) + self.value } // inner
    }
    #[inline(always)]
    fn middle(&self, n: u64) -> u64 {
        self.inner(n) + 1 // middle
    }
}

#[inline(never)]
fn deep(n: u64) -> u64 {
    let held = Held { value: n };
    held.middle(n) + 1 // deep
}

#[inline(always)]
fn apply<F: Fn(u64) -> u64>(f: F, n: u64) -> u64 {
    f(n) + 1 // apply
}

#[inline(never)]
fn closes(n: u64) -> u64 {
    apply(
        #[inline(always)]
        |m| unsafe { truth_leaf_02(m) + n }, // closure
        n,
    ) // closes
}

fn main() {
    let seconds = std::env::args().nth(1).unwrap().parse().unwrap();
    let end = Instant::now() + Duration::from_secs(seconds);
    while Instant::now() < end {
        let a = deep(400000); // main deep
        let b = closes(400000); // main closes
        unsafe { asm!("/* {} {} */", in(reg) a, in(reg) b) };
    }
}
