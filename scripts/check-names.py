#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Has every struct, union, enum and typedef of the C files its name to itself?

A debugger, a search and a reader know a type by its name, also where C would keep two apart because
each is seen by one file alone. Arguments: the files. Exit 1, with both places of each name that is
defined twice.
"""
import re
import sys

# comments, strings and preprocessor lines, which are removed
NO_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:[^\n\\]|\\.)*',
                     re.S | re.M)
TOKEN = re.compile(r'\w+|[^\w\s]|\n')


def tokens(text):
    """(token, line) of a file."""
    line, out = 1, []
    for token in TOKEN.findall(NO_CODE.sub(lambda m: '\n' * m.group().count('\n') or ' ', text)):
        if token == '\n':
            line += 1
        else:
            out.append((token, line))
    return out


def after_body(code, at):
    """Index of what follows the braces that open at `at`."""
    depth = 0
    while True:
        depth += {'{': 1, '}': -1}.get(code[at][0], 0)
        at += 1
        if not depth:
            return at


def typedef_name(code, at):
    """The name that the typedef at `at` declares, and whether it is of a type with a body."""
    body, words, at = False, [], at + 1
    while code[at][0] != ';':
        if code[at][0] == '{':
            body, words, at = True, [], after_body(code, at)
            continue
        words.append(code[at][0])
        at += 1
    declared = re.sub(r"__attribute__ .*", "", " ".join(words))
    pointer = re.search(r'\( \* (\w+)', declared)
    if pointer:
        return pointer.group(1), body, words
    return re.findall(r'\w+', re.sub(r'\(.*|\[.*', '', declared))[-1], body, words


def definitions(path):
    """(name, line) of each type that the file defines."""
    with open(path, encoding='utf-8') as f:
        code = tokens(f.read())
    for i, (token, line) in enumerate(code):
        if token in ('struct', 'union', 'enum') and code[i + 2][0] == '{':
            yield code[i + 1][0], line
        elif token == 'typedef':
            name, body, words = typedef_name(code, i)
            tag = code[i + 2][0]
            # 'typedef struct name name' repeats the struct's name
            if name != tag:
                yield name, line


def main():
    first, bad = {}, False
    for path in sys.argv[1:]:
        for name, line in definitions(path):
            if name in first:
                print(f'{path}:{line}: {name} is the name of another type at {first[name]}', file=sys.stderr)
                bad = True
            first.setdefault(name, f'{path}:{line}')
    sys.exit(bad)


main()
