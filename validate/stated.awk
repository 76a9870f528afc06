# SPDX-License-Identifier: GPL-3.0-or-later
# From a list of statements (checks/*.yaml) to a C array of rows of validate/checks/stated.h, named swq_rows_NAME (-v name=NAME).
#
# An item of the list is a row, or rows that follow one another for each word of its `for`:
#     - for: n, size in 2, 4; 4, 8*
#       rows:
#         - name: some-formula/ports=$n,slots=$size
# Here are two rows, the second of which is in the full run alone (*). `that` has comparisons in the language of claims,
# `off` the deviation in percent (A to B), `find` a function in place of the function of the row's level; other keys are
# members of swq_stated. Of YAML, this reads "key: value" and folded lines.

BEGIN {
    texts = "^(name|claim|known|buffer|other|method|network)$"
    numbers = "^(weight|ports|slots|other_slots|load)$"
    print "/* made from " name ".yaml by stated.awk */\n#include \"validate/checks/stated.h\"\n"
}

function words(text,    out, word) {
    out = ""
    while (match(text, /\$[a-z_]+/)) {
        word = substr(text, RSTART + 1, RLENGTH - 1)
        out = out substr(text, 1, RSTART - 1) (word in value ? value[word] : "$" word)
        text = substr(text, RSTART + RLENGTH)
    }
    return out text
}
function wrong(what) {
    print FILENAME ":" FNR ": " what > "/dev/stderr"
    exit failed = 1
}
function row(r, full,    k, key, text, out, level, find, side) {
    level = ""; find = ""; out = ""
    for (k = 1; k <= keys[r]; k++) {
        key = key_of[r, k]
        text = words(text_of[r, k])
        if (key == "level") level = text
        else if (key == "find") find = text
        else if (key == "full") full = 1
        else if (key ~ texts) out = out ", ." key " = " quote(text)
        else if (key ~ numbers) out = out ", ." key " = " text
        else if (key == "that") { gsub(/ *\| */, "|", text); out = out ", .that = " quote(text) }
        else if (key == "off" && split(text, side, " to ") == 2)
            out = out ", .least = (" side[1] ") / 100.0, .most = (" side[2] ") / 100.0"
        else wrong("unknown key: " key)
    }
    if (find == "") find = level == "order" ? "ordering" : "equation"
    if (!(find in declared)) { declared[find]; functions = functions "swq_stated_fn swq_stated_" find ";\n" }
    body = body "    {" substr(out, 3) ", .level = SWQ_LEVEL_" toupper(level) ", .find = swq_stated_" find \
        (full ? ", .full = true" : "") "},\n"
}
function group(    name_, tuples, tuple, n, t, v, r, full, item) {
    if (!rows) return
    if (each == "") { for (r = 1; r <= rows; r++) row(r, 0) }
    else if (!index(each, " in ")) wrong("no 'for: NAMES in WORDS'")
    else {
        n = split(substr(each, 1, index(each, " in ") - 1), name_, ", ")
        tuples = split(substr(each, index(each, " in ") + 4), tuple, "; ")
        for (t = 1; t <= tuples; t++) {
            full = sub(/\*$/, "", tuple[t])
            if (split(tuple[t], item, ", ") != n) wrong("not " n " words: " tuple[t])
            for (v = 1; v <= n; v++) value[name_[v]] = item[v]
            for (r = 1; r <= rows; r++) row(r, full)
        }
        split("", value)
    }
    rows = 0; each = ""
}

/^ *#/ || /^$/ || /^  rows:$/ { next }
/^- / { group() }
match($0, /^(- |  |    - |      )[a-z_]+: ?/) {
    key = substr($0, 1, RLENGTH)
    gsub(/[- :]/, "", key)
    text = substr($0, RLENGTH + 1)
    if (text == ">-") text = ""
    if (text ~ /^".*"$/) text = substr(text, 2, length(text) - 2)
    if (key == "for") { each = text; last = "for"; next }
    if (key == "name") keys[++rows] = 0
    last = ++keys[rows]
    key_of[rows, last] = key
    text_of[rows, last] = text
    next
}
{
    sub(/^ +/, "")
    if (last == "for") each = each (each == "" ? "" : " ") $0
    else text_of[rows, last] = text_of[rows, last] (text_of[rows, last] == "" ? "" : " ") $0
}
END {
    if (failed) exit 1
    group()
    print functions "\nconst swq_stated swq_rows_" name "[] = {\n" body "    {.name = NULL},\n};"
}
