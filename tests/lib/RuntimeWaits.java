// SPDX-License-Identifier: GPL-2.0-only
import java.io.*;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.locks.*;

/**
 * Waits of known kinds in a program of Java, with a log of the waits: RuntimeWaits FILE.  The program that starts this one
 * writes bytes to its input, once this one is ready.
 */
class RuntimeWaits {
	interface Wait {
		void run() throws Exception;
	}

	static final List<String> lines = Collections.synchronizedList(new ArrayList<>());
	static final List<Thread> threads = new ArrayList<>();

	/** Runs a wait in a thread of its own, again and again. */
	static void waits(String call, Wait wait) {
		Thread thread = new Thread(() -> {
			try {
				String id = Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName().toString();
				for (int i = 0; i < 20; i++) {
					long from = System.nanoTime();
					wait.run();
					lines.add("wait " + id + " " + from + " " + System.nanoTime() + " " + call);
				}
			} catch (Exception e) {
				throw new RuntimeException(e);
			}
		});
		threads.add(thread);
		thread.start();
	}

	public static void main(String[] args) throws Exception {
		FileChannel file = FileChannel.open(Path.of(args[0]), StandardOpenOption.WRITE, StandardOpenOption.CREATE);
		FileInputStream input = new FileInputStream(FileDescriptor.in);
		Object monitor = new Object();
		ReentrantLock lock = new ReentrantLock();

		System.out.println("ready");
		waits("read", input::read);
		waits("fsync", () -> {
			file.write(ByteBuffer.allocate(4096), 0);
			file.force(true);
		});
		waits("futex", () -> Thread.sleep(20));
		waits("futex", () -> LockSupport.parkNanos(20_000_000));
		for (int i = 0; i < 2; i++) {
			waits("futex", () -> {
				synchronized (monitor) {
					Thread.sleep(10);
				}
			});
			waits("futex", () -> {
				lock.lock();
				try {
					Thread.sleep(10);
				} finally {
					lock.unlock();
				}
			});
		}
		for (Thread thread : threads)
			thread.join();
		lines.forEach(System.out::println);
		System.out.println("pid " + ProcessHandle.current().pid());
	}
}
