// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0

// Ground truth for Go without C: goroutines that take turns on their threads, and
// memory that has to be collected.
//
//	goroutines SECONDS TABLE
//
// TABLE gets the expected stacks, in the form that tests/root/exact describes.
package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
	_ "unsafe"
)

const turns = 10000000

func burn(n uint64) uint64 {
	x := n
	for ; n > 0; n-- {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}

//go:linkname leaf01 truth_leaf_01
//go:noinline
func leaf01(n uint64) uint64 { return burn(n) }

//go:linkname leaf02 truth_leaf_02
//go:noinline
func leaf02(n uint64) uint64 { return burn(n) }

//go:linkname leaf03 truth_leaf_03
//go:noinline
func leaf03(n uint64) uint64 { return burn(n) }

//go:noinline
func loops() {
	for {
		leaf01(turns)
	}
}

//go:noinline
func serve(requests chan int, replies chan uint64) {
	for range requests {
		replies <- leaf02(turns)
	}
}

type number interface{ uint32 | uint64 }

//go:noinline
func generic[T number](n T) uint64 { return leaf03(uint64(n)) + 1 }

var sink [][]byte

//go:noinline
func memory() {
	sink = nil
	for i := 0; i < 5000; i++ {
		sink = append(sink, make([]byte, 1024))
	}
}

func main() {
	const interrupted = ";**~runtime\\..*"
	paths := []string{
		"runtime.goexit;~main\\.main\\.func[0-9];main.loops;truth_leaf_01",
		"runtime.goexit;~main\\.main\\.func[0-9];main.serve;truth_leaf_02",
		"runtime.goexit;runtime.main;main.main;~main\\.generic\\[.*\\];truth_leaf_03",
	}
	var table strings.Builder
	for i, p := range paths {
		fmt.Fprintf(&table, "truth_leaf_%02d\t%s%s\t%s\n", i+1, p, interrupted, p)
	}
	if os.WriteFile(os.Args[2]+".new", []byte(table.String()), 0644) != nil ||
		os.Rename(os.Args[2]+".new", os.Args[2]) != nil {
		os.Exit(1)
	}
	seconds, _ := strconv.Atoi(os.Args[1])
	end := time.Now().Add(time.Duration(seconds) * time.Second)
	requests, replies := make(chan int), make(chan uint64)
	for i := 0; i < 3; i++ {
		go func() { loops() }()
		go func() { serve(requests, replies) }()
	}
	for time.Now().Before(end) {
		requests <- 1
		requests <- 1
		generic(uint64(turns))
		<-replies
		<-replies
		memory()
	}
}
