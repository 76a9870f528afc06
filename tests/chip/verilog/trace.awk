# SPDX-License-Identifier: GPL-3.0-or-later
# A waveform file of `switchq chip --waves` as a line per cycle: the cycle, then the registers in the
# order of their declarations. -v input=FILE: also what bench.v reads. A byte that is not valid is 0.
# Registers of headers are left out: they are compared by the bytes that leave.
function value(name) { return bits[id[name]] + 0 }
function decimal(s,    n, i) {
    n = 0
    for (i = 1; i <= length(s); i++) n = 2 * n + substr(s, i, 1)
    return n
}
function cycle_done(    line, i) {
    for (; cycle < now; cycle++) {
        line = cycle
        for (i = 1; i <= count; i++)
            line = line " " (names[i] ~ /^(link|crossbar|synchroniser)$/ && !value(names[i] "_valid") ? 0 : value(names[i]))
        print line
        print value("link_valid"), value("link"), value("arbiter_strobe"), value("arbiter_queue") > input
    }
}
$1 == "$var" && $5 ~ /^(header|bypass|new_header|fsm_sto|fsm_fwd)/ { next }
$1 == "$var" { names[++count] = $5; id[$5] = $4; next }
/^\$/ { next }
/^#/ { now = substr($0, 2) / 20; if (!cycle) cycle = now; cycle_done(); next }
/^b/ { bits[$2] = decimal(substr($1, 2)); next }
{ bits[substr($0, 2)] = substr($0, 1, 1) }
END { now++; cycle_done() }
