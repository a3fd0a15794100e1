/* SPDX-License-Identifier: MIT */
/* Writes example.fxt, which ui.perfetto.dev opens: cc trace.c -o trace $(pkg-config --cflags --libs fxtrec) */
#include <stdio.h>
#include <fxtrec/trace.h>

int main(void)
{
	struct fxtrec_thread thread = { 4711, 4712 };
	struct fxtrec_arg bytes = fxtrec_arg_int64("bytes", 512);
	struct fxtrec_writer *w;
	int err = fxtrec_writer_open(&w, "example.fxt");

	if (!err) {
		fxtrec_writer_provider(w, 1, "example", 1000000000);
		fxtrec_writer_name_process(w, thread.process, "server");
		fxtrec_writer_name_thread(w, &thread, "worker");
		fxtrec_writer_event(w, FXTREC_EVENT_DURATION_BEGIN, 1000, &thread, "io", "read", 0, &bytes, 1);
		fxtrec_writer_event(w, FXTREC_EVENT_DURATION_END, 51000, &thread, "io", "read", 0, NULL, 0);
		err = fxtrec_writer_close(w);
	}
	if (err)
		fprintf(stderr, "example.fxt: %s\n", strerror(-err));
	return err ? 1 : 0;
}
