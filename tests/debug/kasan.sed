# perf's handlers run with interrupts off, and not where their counter is taken away: older kernels lack that.
/Serialize against event_function_call() IPIs/,/return;/ {
	/guard(irqsave)/,/return;/d
}
