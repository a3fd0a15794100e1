/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A CPU's ring (include/fxt/ring.h) and its reader (user/source) on a processor that orders no
 * more than it is told to.  tests/model.t lets spin try every order.
 *
 * A sub-buffer holds one record, whose value is its position and 1: position p is in slot
 * p % SLOTS.  What the writer stores waits in "pending" and reaches memory in any order but:
 *
 *   - stores to one place stay in their order;
 *   - a release (FXT_RELEASE) comes when nothing before it waits any more;
 *   - what is behind a barrier (FXT_STORE_BARRIER) comes after all that is before it.
 *
 * The reader's loads happen in the order that is written here; where a define takes an
 * acquire or a fence away, in the other one too.
 *
 *   -DDRAIN		the reader frees what it has read; else the writer overwrites, and a copy is made
 *   -DNESTED		reserve is moved before a record and head behind it (EVENTS); else head alone (SCHED)
 *   -DNO_RELEASE -DNO_BARRIER -DNO_ACQUIRE -DNO_FENCE -DNO_TAIL_RELEASE -DNO_CONTROL
 *			without that one: each must be found wrong in the mode that needs it
 */
#define SLOTS	3
#define RECORDS	4
#define ROOM	8	/* stores that wait */

/* Places in memory: the slots, head, reserve. */
#define HEAD	SLOTS
#define RESERVE	(SLOTS + 1)
#define PLACES	(SLOTS + 2)

byte memory[PLACES];
byte tail;
bool written;

typedef store { byte place; byte value; bool release; byte epoch };
store pending[ROOM];
byte waiting, epoch;

inline put(at, what, is_release)
{
	atomic {
		waiting < ROOM;
		pending[waiting].place = at;
		pending[waiting].value = what;
		pending[waiting].release = is_release;
		pending[waiting].epoch = epoch;
		waiting++
	}
}

inline barrier()
{
#ifndef NO_BARRIER
	epoch++
#else
	skip
#endif
}

/* Whether the store i may reach memory now. */
inline may(i)
{
	ready = !(pending[i].release && i > 0);
	j = 0;
	do
	:: j < i ->
		if
		:: pending[j].place == pending[i].place || pending[j].epoch != pending[i].epoch -> ready = false
		:: else
		fi;
		j++
	:: else -> break
	od
}

active proctype propagate()
{
	byte i, j;
	bool ready;

	do
	:: atomic { waiting > 0 ->
		/* Any of them. */
		i = 0;
		do
		:: i + 1 < waiting -> i++
		:: break
		od;
		may(i);
		if
		:: ready ->
			memory[pending[i].place] = pending[i].value;
			do
			:: i + 1 < waiting ->
				pending[i].place = pending[i + 1].place;
				pending[i].value = pending[i + 1].value;
				pending[i].release = pending[i + 1].release;
				pending[i].epoch = pending[i + 1].epoch;
				i++
			:: else -> break
			od;
			waiting--
		:: else
		fi
	   }
	:: atomic { written && waiting == 0 -> break }
	od
}

#ifdef NO_RELEASE
#define RELEASE false
#else
#define RELEASE true
#endif

active proctype writer()
{
	byte head;

	do
	:: head < RECORDS ->
#ifdef DRAIN
#ifdef NO_CONTROL
		/* The record's store doesn't depend on the tail's load. */
		put(head % SLOTS, head + 1, false);
#endif
		/* fxt_ring_free(): the load that the stores below depend on. */
		head - tail < SLOTS;
#endif
#ifdef NESTED
		put(RESERVE, head + 1, false);
		barrier();
#endif
#ifndef NO_CONTROL
		put(head % SLOTS, head + 1, false);
#endif
		head++;
		put(HEAD, head, RELEASE);
#ifndef NESTED
		barrier()
#endif
	:: else -> break
	od;
	written = true
}

#ifdef DRAIN
active proctype reader()
{
	byte at, value;

	do
	:: at < RECORDS ->
#ifdef NO_ACQUIRE
again:
		value = memory[at % SLOTS];
		if
		:: memory[HEAD] > at
		:: else -> goto again
		fi;
#else
		memory[HEAD] > at;
#ifndef NO_TAIL_RELEASE
		value = memory[at % SLOTS];
#else
		/* The tail may be seen before the record was read. */
		if
		:: value = memory[at % SLOTS]
		:: tail = at + 1; value = memory[at % SLOTS]
		fi;
#endif
#endif
		assert(value == at + 1);
		at++;
		tail = at
	:: else -> break
	od
}
#else
/* fxt_ring_copy_make(): copies, and keeps what was not overwritten meanwhile. */
#ifdef NESTED
#define REACHED	RESERVE
#define KEPT(h)	((h) > SLOTS -> (h) - SLOTS : 0)
#else
#define REACHED	HEAD
#define KEPT(h)	((h) >= SLOTS -> (h) - SLOTS + 1 : 0)
#endif

active proctype reader()
{
	byte head, reached, from, at;
	byte copy[RECORDS + 1];

#ifdef NO_ACQUIRE
	at = 0;
	do
	:: at < RECORDS -> copy[at] = memory[at % SLOTS]; at++
	:: else -> break
	od;
	head = memory[HEAD];
#else
	head = memory[HEAD];
#ifdef NO_FENCE
	/* The second load may come before those of the records. */
	if
	:: reached = memory[REACHED]
	:: skip
	fi;
#endif
	at = (head >= SLOTS -> head - SLOTS + 1 : 0);
	do
	:: at < head -> copy[at] = memory[at % SLOTS]; at++
	:: else -> break
	od;
#endif
	if
#ifdef NO_FENCE
	:: reached > 0
#endif
	:: reached = memory[REACHED]
	fi;
	from = KEPT(reached);
	at = (head >= SLOTS -> head - SLOTS + 1 : 0);
	if
	:: from > at -> at = from
	:: else
	fi;
	do
	:: at < head -> assert(copy[at] == at + 1); at++
	:: else -> break
	od
}
#endif
