# SPDX-License-Identifier: GPL-3.0-or-later
# What tables in CSV share: fields of a line, which may be quoted, with "" for a quote; and
# texts of C.

function fields(line,    n, at, length_, c, quoted, text) {
    n = 0; text = ""; quoted = 0; length_ = length(line)
    for (at = 1; at <= length_; at++) {
        c = substr(line, at, 1)
        if (quoted && c == "\"" && substr(line, at + 1, 1) == "\"") { text = text c; at++ }
        else if (c == "\"") quoted = !quoted
        else if (c == "," && !quoted) { field[++n] = text; text = "" }
        else text = text c
    }
    field[++n] = text
    return n
}
function quote(text) {
    gsub(/\\/, "\\\\", text)
    gsub(/"/, "\\\"", text)
    return "\"" text "\""
}
