# SPDX-License-Identifier: GPL-3.0-or-later
# What `switchq chip --phases N --csv` says of each cycle, in the words of bench.v.
BEGIN { FS = "," }
{ sub(/"router, arbiter"/, "both"); gsub(/'-/, "-"); gsub(/free list/, "free_list"); gsub(/queue /, "queue_") }
NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
$column["part"] ~ /^phases / {
    byte = $column["crossbar_byte"]
    sub(/ /, "", byte)
    print $column["cycle"], $column["link_byte"], $column["strobes"], $column["data_path"], $column["chip_step"],
        $column["chip_list"], $column["chip_block"], byte
}
