#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A fault for shellcheck, which scripts/lint must find.
rm -rf $1/tmp
