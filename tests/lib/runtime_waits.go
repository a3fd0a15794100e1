// SPDX-License-Identifier: GPL-2.0-only

// Waits of known kinds in a program of Go, with a log of the waits: runtime_waits FILE.  The program that starts this one
// writes bytes to its input, once this one is ready.
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

const rounds = 20

var (
	logged sync.Mutex
	lines  []string
	done   sync.WaitGroup
)

func now() int64 {
	var t syscall.Timespec
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, 1, uintptr(unsafe.Pointer(&t)), 0)
	return t.Nano()
}

// Runs a wait in a thread of its own, again and again.
func waits(call string, wait func()) {
	done.Add(1)
	go func() {
		runtime.LockOSThread()
		defer done.Done()
		for i := 0; i < rounds; i++ {
			from := now()
			wait()
			line := fmt.Sprintf("wait %d %d %d %s", syscall.Gettid(), from, now(), call)
			logged.Lock()
			lines = append(lines, line)
			logged.Unlock()
		}
	}()
}

func main() {
	var one [1]byte
	debug.SetGCPercent(-1)
	runtime.GOMAXPROCS(8)
	file, err := os.OpenFile(os.Args[1], os.O_RDWR|os.O_CREATE, 0600)
	if err != nil {
		panic(err)
	}
	fmt.Println("ready")
	// The runtime is not told of these: nothing else sleeps in their time.
	waits("read", func() { syscall.RawSyscall(syscall.SYS_READ, 0, uintptr(unsafe.Pointer(&one[0])), 1) })
	waits("nanosleep", func() {
		t := syscall.NsecToTimespec(20e6)
		syscall.RawSyscall(syscall.SYS_NANOSLEEP, uintptr(unsafe.Pointer(&t)), 0, 0)
	})
	waits("fsync", func() {
		file.WriteAt(make([]byte, 4096), 0)
		syscall.RawSyscall(syscall.SYS_FSYNC, file.Fd(), 0, 0)
	})
	// Those of goroutines, which park their threads.
	channel, mutex := make(chan int), sync.Mutex{}
	waits("futex", func() { <-channel })
	waits("futex", func() { time.Sleep(20 * time.Millisecond) })
	for i := 0; i < 2; i++ {
		waits("futex", func() {
			mutex.Lock()
			time.Sleep(10 * time.Millisecond)
			mutex.Unlock()
		})
	}
	for i := 0; i < rounds; i++ {
		time.Sleep(20 * time.Millisecond)
		channel <- i
	}
	done.Wait()
	for _, line := range lines {
		fmt.Println(line)
	}
	fmt.Println("pid", os.Getpid())
}
