// SPDX-License-Identifier: GPL-2.0-only
/* A flame graph: a rectangle for each frame, as wide as its time, with its name and time as its title. */
#include <string.h>

#include "show/flame/flame.h"

#define WIDTH		1200.0
#define ROW		17u
#define TOP		28u
#define CHARACTER	7.0	/* width of a character of the font, about */
#define VISIBLE		0.2	/* narrower frames are left out */
#define DEPTH_MAX	256u

struct flame_frame {
	const char *name;
	size_t length;
	__u64 from;		/* ns of all lines before the frame */
};

static void text_put(FILE *out, const char *text, size_t length)
{
	for (; length--; text++) {
		if (*text == '<')
			fputs("&lt;", out);
		else if (*text == '&')
			fputs("&amp;", out);
		else
			fputc((unsigned char)*text < 0x20 ? '?' : *text, out);
	}
}

static void frame_put(FILE *out, const struct flame_frame *frame, unsigned int depth, __u64 to, __u64 all)
{
	double x = WIDTH * frame->from / all, width = WIDTH * (to - frame->from) / all;
	unsigned int y = TOP + depth * ROW, colour = 0, shown = width / CHARACTER, i;

	if (width < VISIBLE)
		return;
	for (i = 0; i < frame->length; i++)
		colour = 31 * colour + (unsigned char)frame->name[i];
	fprintf(out, "<g><title>");
	text_put(out, frame->name, frame->length);
	fprintf(out, ": %.3f ms, %.2f %%</title><rect x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%u\" "
		"fill=\"hsl(%u,60%%,75%%)\"/>", (to - frame->from) / 1e6, 100.0 * (to - frame->from) / all, x, y,
		width, ROW - 1, 190 + colour % 60);
	if (shown > 2) {
		/* Cuts the name between two characters. */
		size_t length = frame->length < shown ? frame->length : shown;

		while (length && length < frame->length && (frame->name[length] & 0xc0) == 0x80)
			length--;
		fprintf(out, "<text x=\"%.2f\" y=\"%u\">", x + 2, y + ROW - 5);
		text_put(out, frame->name, length);
		fputs("</text>", out);
	}
	fputs("</g>\n", out);
}

/* Splits a line into its frames, at most DEPTH_MAX; returns their number. */
static unsigned int frames_split(struct flame_frame *frames, const char *text, __u64 from)
{
	unsigned int count = 0;

	for (; count < DEPTH_MAX; text++) {
		frames[count] = (struct flame_frame){ text, strcspn(text, ";"), from };
		text += frames[count++].length;
		if (!*text)
			break;
	}
	return count;
}

static unsigned int depth_of(const struct fxt_flame_lines *l)
{
	struct flame_frame frames[DEPTH_MAX];
	unsigned int depth = 0, here;
	size_t i;

	for (i = 0; i < l->count; i++) {
		here = frames_split(frames, l->line[i].text, 0);
		depth = here > depth ? here : depth;
	}
	return depth;
}

void fxt_flame_svg(FILE *out, const struct fxt_flame_lines *l, const char *title)
{
	struct flame_frame open[DEPTH_MAX] = { 0 }, frames[DEPTH_MAX] = { 0 };
	unsigned int count = 0, next, same;
	__u64 at = 0;
	size_t i;

	fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%u\" font-family=\"monospace\" "
		"font-size=\"11\">\n<text x=\"4\" y=\"18\">", WIDTH, TOP + depth_of(l) * ROW + 4);
	text_put(out, title, strlen(title));
	fprintf(out, ": %.3f ms asleep</text>\n", l->ns / 1e6);
	/* Lines are sorted: lines that start with the same frames follow each other. */
	for (i = 0; i <= l->count; i++) {
		next = i < l->count ? frames_split(frames, l->line[i].text, at) : 0;
		for (same = 0; same < next && same < count && open[same].length == frames[same].length &&
		     !memcmp(open[same].name, frames[same].name, open[same].length); same++)
			;
		for (; count > same; count--)
			frame_put(out, &open[count - 1], count - 1, at, l->ns);
		memcpy(open + same, frames + same, (next - same) * sizeof(*open));
		count = next;
		at += i < l->count ? l->line[i].ns : 0;
	}
	fputs("</svg>\n", out);
}
