# SPDX-License-Identifier: GPL-2.0-only
# What rst2man makes, as man shows it whole: without boxes, which groff cuts where a table crosses a page's end; the
# last column has the room that is left; and a space between an option's short and its long name.
/^\.TS$/,/^\.TE$/{
	/^_$/d
	/^center;$/d
	/^|l/{
		s/|/ /g
		s/^ \(.*\) \.$/\1x./
	}
}
/^\.BI /s/\\fP,\\fB  /\\fP,\\fB\\ /
