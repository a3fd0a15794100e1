// SPDX-License-Identifier: GPL-2.0-only
/* Writes FXT: sections of each provider in turn, with ticks of a nanosecond. */
#include <errno.h>
#include <stdlib.h>

#include "convert/format.h"
#include "stages/pairing.h"
#include "formats/fxt/brief.h"
#include "formats/fxt/unshown.h"
#include "model/sched_view.h"

/* A section is written at SECTION_WORDS, all sections once their capacity is SECTIONS_WORDS. */
#define SECTION_WORDS		(8u << 10)
#define SECTIONS_WORDS		(2u << 20)

struct provider {
	struct provider *next;		/* list in the order of their first records */
	struct fxt_fxt_writer *file;
	const struct fxt_provider *of;
	struct fxt_words strings;	/* string records, which come first in a section */
	struct fxt_words words;		/* records of the section */
	__u64 known[(FXT_STRING_INDEX_MAX + 1) / 64];	/* registered strings, by index */
	bool announced;
};

struct fxt_fxt_writer {
	struct fxt_conversion *c;
	struct fxt_out *out;
	struct fxt_map providers;
	struct provider *recent[64];	/* cache of providers, by the last bits of their ids; NULL: empty */
	size_t room;			/* capacity of all sections, in words */
	size_t words;			/* words of all sections */
	size_t head_bytes;		/* most bytes before all sections' records */
	struct provider *first, **last;
	struct fxt_brief_encoder brief;
	struct fxt_unshown unshown;
	struct fxt_record whole;	/* full form of a record in brief; an event's log record */
	const struct fxt_provider *objects;	/* provider of all kernel object records */
};

static void *fxt_file_open(struct fxt_conversion *c, struct fxt_out *out)
{
	static const __u64 magic = FXT_MAGIC;
	struct fxt_fxt_writer *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->c = c;
	f->out = out;
	f->last = &f->first;
	f->providers.memory.spill = &c->spill;
	fxt_unshown_init(&f->unshown, &c->spill);
	fxt_out_bytes(out, &magic, sizeof(magic));
	return f;
}

static void put_bytes(struct fxt_out *out, const void *bytes, size_t count)
{
	static const char zero[8];

	fxt_out_bytes(out, bytes, count);
	fxt_out_bytes(out, zero, 8 * fxt_words(count) - count);
}

static void put_word(struct fxt_out *out, __u64 word)
{
	fxt_out_bytes(out, &word, sizeof(word));
}

static size_t words_of(const struct provider *p)
{
	return p->strings.count + p->words.count;
}

/* Returns the bytes of the record that announces a provider, and of the record of its ticks. */
static size_t announcement_bytes(const struct fxt_provider *of)
{
	return 8 * (3 + fxt_words(of->name_bytes));
}

/* Writes a provider's section, after the record that announces the provider. */
static void section_write(struct fxt_fxt_writer *f, struct provider *p)
{
	if (!p->announced) {
		put_word(f->out, fxt_provider_info(p->of->id, p->of->name_bytes));
		put_bytes(f->out, p->of->name, p->of->name_bytes);
		put_word(f->out, FXT_HEADER(FXT_RECORD_INITIALIZATION, 2));
		put_word(f->out, FXT_TICKS_PER_SECOND);
		p->announced = true;
		f->head_bytes -= announcement_bytes(p->of);
	} else {
		put_word(f->out, fxt_provider_section(p->of->id));
	}
	fxt_out_bytes(f->out, p->strings.w, 8 * p->strings.count);
	fxt_out_bytes(f->out, p->words.w, 8 * p->words.count);
	f->words -= words_of(p);
	p->strings.count = 0;
	p->words.count = 0;
}

static size_t room_of(const struct provider *p)
{
	return p->strings.room + p->words.room;
}

/* Frees all sections' memory, and writes them, unless the conversion failed. */
static void sections_end(struct fxt_fxt_writer *f, bool failed)
{
	struct provider *p;

	for (p = f->first; p; p = p->next) {
		if (!failed && (p->words.count || !p->announced))
			section_write(f, p);
		fxt_words_uninit(&p->strings);
		fxt_words_uninit(&p->words);
	}
	f->room = 0;
}

static __attribute__((noinline)) __u16 ref_new(struct provider *p, const struct fxt_text *text)
{
	__u16 index = text->ref ? text->ref : fxt_strings_ref(&p->file->c->reading.strings, text);
	__u64 bit = 1ULL << (index & 63), *known = &p->known[index / 64 & 511];
	__u32 i;

	if (index & FXT_REF_INLINE)
		return fxt_ref_inline(text->length);
	if (*known & bit)
		return index;
	*known |= bit;
	fxt_words_put(&p->strings, fxt_string(index, text->length));
	for (i = 0; i < text->length; i += 8) {
		__u64 word = 0;

		memcpy(&word, text->bytes + i, text->length - i < 8 ? text->length - i : 8);
		fxt_words_put(&p->strings, word);
	}
	return index;
}

/* Returns a text's index.  Once a text is registered, the sorter's index is also this table's: so for most texts. */
static __u16 ref(void *arg, const struct fxt_text *text)
{
	const struct provider *p = arg;
	__u16 index = text->ref;

	if (index && !(index & FXT_REF_INLINE) && p->known[index / 64] & 1ULL << (index & 63))
		return index;
	return ref_new(arg, text);
}

static struct provider *provider_of(struct fxt_fxt_writer *f, const struct fxt_provider *of)
{
	struct provider **recent = &f->recent[of->id % (sizeof(f->recent) / sizeof(f->recent[0]))], *p = *recent;

	if (p && p->of == of)
		return p;
	p = fxt_map_get(&f->providers, of->id);
	if (p) {
		*recent = p;
		return p;
	}
	p = fxt_map_new(&f->providers, of->id, sizeof(*p));
	if (!p)
		return NULL;
	p->of = of;
	p->file = f;
	/* Includes the head of its next section. */
	f->head_bytes += announcement_bytes(of) + 8;
	*f->last = p;
	f->last = &p->next;
	return p;
}

/*
 * Returns the provider for a record's section.  Sections of different providers are not in time order, but the last
 * name of an object counts: so all names go to one provider.
 */
static const struct fxt_provider *section_of(struct fxt_fxt_writer *f, const struct fxt_record *r)
{
	if (r->kind != FXT_KIND_KERNEL_OBJECT)
		return r->provider;
	if (!f->objects)
		f->objects = r->provider;
	return f->objects;
}

/* Returns a record in brief in its full form, with its arguments. */
static const struct fxt_record *whole(struct fxt_fxt_writer *f, const struct fxt_record *r)
{
	if (!fxt_record_is_brief(r))
		return r;
	if (r->kind == FXT_KIND_WAKEUP)
		fxt_wakeup_view_put(&r->view->wakeup, &f->whole, r->ticks);
	else
		fxt_switch_view_put(&r->view->change, &f->whole, r->ticks);
	f->whole.provider = r->provider;
	return &f->whole;
}

static int encode(struct fxt_fxt_writer *f, struct provider *p, const struct fxt_record *r)
{
	if (fxt_record_is_brief(r) && fxt_brief_encode(&f->brief, &p->words, r, ref, p))
		return p->words.failed ? -ENOMEM : 0;
	return fxt_encode(&p->words, whole(f, r), ref, p);
}

static int record_put(struct fxt_fxt_writer *f, const struct fxt_record *r)
{
	struct provider *p = provider_of(f, section_of(f, r));
	size_t most = SECTIONS_WORDS / (f->providers.count + 1), room = p ? room_of(p) : 0, words = p ? words_of(p) : 0;
	int err = p ? encode(f, p, r) : -ENOMEM;

	f->room += p ? room_of(p) - room : 0;
	f->words += p ? words_of(p) - words : 0;
	if (err == -E2BIG) {
		fxt_note(&f->c->unheld, "records that are too long", 1);
		err = 0;
	}
	if (err || p->strings.failed)
		return err ? err : -ENOMEM;
	if (p->words.count >= (most < SECTION_WORDS ? most : SECTION_WORDS))
		section_write(f, p);
	if (f->room > SECTIONS_WORDS)
		sections_end(f, false);
	return f->out->err;
}

static int fxt_file_put(void *state, const struct fxt_record *r)
{
	struct fxt_fxt_writer *f = state;
	int err = 0;

	if (r->kind == FXT_KIND_EVENT && !fxt_record_is_brief(r))
		err = fxt_unshown_event(&f->unshown, f->c, r);
	if (!err && r->kind == FXT_KIND_EVENT && r->event.logged) {
		fxt_pairing_log(&f->whole, r);
		err = record_put(f, &f->whole);
	}
	return err ? err : record_put(f, r);
}

static int fxt_file_close(void *state, bool failed)
{
	struct fxt_fxt_writer *f = state;

	sections_end(f, failed);
	fxt_unshown_uninit(&f->unshown);
	fxt_map_uninit(&f->providers, NULL);
	free(f);
	return 0;
}

static __u64 fxt_file_held(const void *state)
{
	const struct fxt_fxt_writer *f = state;

	return 8 * f->words + f->head_bytes;
}

const struct fxt_format_writer fxt_writer_fxt = {
	.open = fxt_file_open,
	.put = fxt_file_put,
	.close = fxt_file_close,
	.held = fxt_file_held,
	.growth = 1,
	.by_cpu = true,
};
