#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages that Sphinx makes the site from.

usage: pages.py SWITCHQ SOURCE EXTRA OUT

OUT gets the Markdown of the tree SOURCE in the same folders, so that the links between its pages
hold, and pages written here: the options of each command and the topics of `switchq help` (asked of
the program SWITCHQ), the C API (the comments of include/switchq/) and the Python API (docstrings).
EXTRA has pages that are made otherwise: report/ and,
if it was built, live/. The order of the site is that of docs/README.md.
"""
import ast
import os
import re
import shutil
import subprocess
import sys

LINK = re.compile(r"(\]\()([^)#\s]*)(#[^)\s]*)?(\))")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


WRITTEN = set()


def write(path, text):
    """A page; one that has not changed keeps its time, so that it is not read again."""
    WRITTEN.add(path)
    if os.path.exists(path) and read(path) == text:
        return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def remove_others(out):
    """What an earlier run has left, and this one has not written."""
    for folder, _, names in os.walk(out):
        for name in names:
            if os.path.join(folder, name) not in WRITTEN:
                os.remove(os.path.join(folder, name))


def escaped(text):
    """Plain text in which Markdown sees no marks."""
    return re.sub(r"([\\`*_\[\]<>|#~])", r"\\\1", text)


def anchor(title):
    """The name that a heading can be linked by, as GitHub has it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


# Markdown that is there

def copied(source, out):
    """All pages of the tree, and the files that they link to."""
    pages = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "changes/README.md"]
    for folder, _, names in os.walk(os.path.join(source, "docs")):
        pages += [os.path.relpath(os.path.join(folder, name), source)
                  for name in names if name.endswith(".md")]
    for page in sorted(pages):
        folder = os.path.dirname(page)

        def link(found, folder=folder):
            target = found.group(2)
            if not target or re.match(r"[a-z]+:", target):
                return found.group(0)
            path = os.path.normpath(os.path.join(folder, target))
            if path == "README.md":  # the page that a server shows first
                target = os.path.join(os.path.dirname(target), "index.md")
            full = os.path.join(source, path)
            if os.path.isdir(full):  # a folder of pages: its first one
                first = sorted(name for name in os.listdir(full) if name.endswith(".md"))[0]
                target = os.path.join(target, first)
            elif not path.endswith(".md") and os.path.isfile(full):
                os.makedirs(os.path.dirname(os.path.join(out, path)), exist_ok=True)
                shutil.copy2(full, os.path.join(out, path))
                WRITTEN.add(os.path.join(out, path))
            return found.group(1) + target + (found.group(3) or "") + found.group(4)

        text = LINK.sub(link, read(os.path.join(source, page)))
        # a link named after its file is named after its page instead
        text = re.sub(r"\[[\w/.-]+\.md\](?=\([^)]+\.md(#[^)]*)?\))", "[]", text)
        # "```yaml NAME" gives a block the name of a file, which is not part of the language
        text = re.sub(r"^```(\w+) (\S+)$", r"```\1", text, flags=re.M)
        write(os.path.join(out, "index.md" if page == "README.md" else page), text)


def tree(pages, *options):
    """What Sphinx builds the menu from."""
    return "\n".join(["```{toctree}", ":hidden:", *options, "", *pages, "```", ""])


# The program's own pages

def answer(program, *words):
    return subprocess.run([program, *words], stdout=subprocess.PIPE, check=True,
                          encoding="utf-8").stdout


def plain(roff):
    return re.sub(r"\\f[BIR]", "", roff).replace("\\(aq", "'").replace("\\-", "-").replace("\\&", "") \
        .replace("\\e", "\\")


def manual(roff):
    """A manual page of `switchq help --man` as Markdown: sections, options and what they do."""
    out, block, term, command = [], False, None, None
    for line in roff.splitlines():
        macro, _, rest = line.partition(" ")
        if macro in ('.\\"', ".TH"):
            continue
        if macro == ".nf":
            out.append("\n```text")
            block = True
        elif macro == ".fi":
            out.append("```\n")
            block = False
        elif block:
            out.append(plain(line))
        elif macro in (".SH", ".SS"):
            term = None
            out.append("\n%s %s\n" % ("##" if macro == ".SH" else "###", plain(rest).capitalize()))
        elif macro == ".TP":
            term = ""
        elif macro in (".PP", ".P", ".br"):
            out.append("")
        elif macro == ".B":  # the synopsis: a command, and on the next line its arguments
            command = plain(rest)
        elif command:
            out.append("`%s %s`" % (command, plain(line)))
            command = None
        elif term == "":
            term = plain(line)
            out.append("\n`%s`" % term)
        elif term:
            out.append((": " if out[-1] == "`%s`" % term or out[-1].endswith("\n`%s`" % term) else "  ")
                       + escaped(plain(line)))
        else:
            out.append(escaped(plain(line)))
    if block:
        out.append("```")
    return "\n".join(out) + "\n"


def program_pages(program, out):
    """Pages of commands and of topics, in the order of `switchq help`."""
    commands, topics, section = [], [], None
    for line in answer(program, "help").splitlines():
        if line.startswith("Usage:"):
            section = commands
        elif line.endswith("is a page on:"):
            section = topics
        elif section is not None and re.match(r"  [a-z]", line):
            section.append((line.split()[0], line.split(None, 1)[1]))
    for name, what in commands:
        text = manual(answer(program, "help", name, "--man"))
        text = re.sub(r"\n## Name\n.*?(?=\n## )", "", text, count=1, flags=re.S)
        text = text.split("\n## See also\n")[0]
        write(os.path.join(out, "reference/options", name + ".md"),
              "# switchq %s: options\n\n%s.\n\n%s" % (name, escaped(what[0].upper() + what[1:]), text))
    for name, what in topics:
        text = answer(program, "help", name).split("\n", 2)[2].rstrip()
        write(os.path.join(out, "reference/help", name + ".md"),
              "# help %s\n\n%s. This is what `switchq help %s` prints.\n\n```text\n%s\n```\n"
              % (name, escaped(what[0].upper() + what[1:]), name, text))
    index(os.path.join(out, "reference/options"), commands, "All options of all commands",
          "What `switchq help COMMAND --man` prints of each command.")
    index(os.path.join(out, "reference/help"), topics, "Pages of switchq help",
          "The program has these pages itself: `switchq help TOPIC`.")


def index(folder, names, title, about):
    listed = "\n".join("- [%s](%s.md): %s" % (name, name, escaped(what)) for name, what in names)
    write(os.path.join(folder, "index.md"),
          "# %s\n\n%s\n\n%s\n\n%s" % (title, about, listed, tree(name for name, _ in names)))


# The C API

def chunks(text):
    """The declarations of a header, each with the comment before it, which may be empty."""
    text = re.sub(r'^#ifdef __cplusplus\n(?:extern "C" \{|\})\n#endif\n', "", text, flags=re.M)
    text = re.sub(r"^#define \w+_H\n|^#(?:ifn?def|endif|pragma|include|if).*\n", "", text, flags=re.M)
    comment, declaration, depth, inside = "", [], 0, False
    for line in text.splitlines():
        if depth == 0 and not declaration and (inside or line.startswith("/*")):
            comment = comment + line + "\n" if inside else line + "\n"
            inside = "*/" not in line
            continue
        if not line.strip():
            if depth == 0:
                if declaration:
                    yield comment, "\n".join(declaration)
                    declaration, comment = [], ""
                elif comment:
                    yield comment, ""
                    comment = ""
            continue
        declaration.append(line)
        bare = re.sub(r"/\*.*?\*/", "", line)
        depth += bare.count("{") + bare.count("(") - bare.count("}") - bare.count(")")
        if depth == 0 and (bare.rstrip().endswith(";") or bare.startswith("}") or
                           (bare.startswith("#define") and not bare.endswith("\\"))):
            yield comment, "\n".join(declaration)
            declaration, comment = [], ""
    if declaration or comment:
        yield comment, "\n".join(declaration)


def declared(declaration):
    """The name that a declaration is looked up by."""
    bare = re.sub(r"/\*.*?\*/", "", declaration, flags=re.S)
    for pattern in (r"#define (\w+)", r"typedef [^;{]*\(\*?\s*(swq_\w+)\)\(", r"\}\s*(\w+)(?:\[[^]]*\])?;\s*$",
                    r"typedef (?:struct|enum|union) \w+ (\w+);", r"typedef [\w \*]+?(swq_\w+)\(",
                    r"\b(swq_\w+)\(", r"\b(swq_\w+)(?:\[[^]]*\])*;", r"(SWQ_\w+)"):
        found = re.search(pattern, bare)
        if found:
            return found.group(1)
    return None


def prose(comment):
    """A comment's text: paragraphs, and indented lines as they stand."""
    text = re.sub(r"^\s*/\*+ ?|\s*\*/\s*$", "", comment.strip())
    text = re.sub(r"^ \* ?", "", text, flags=re.M)
    return re.sub(r"^\s*SPDX-License-Identifier:.*\n*", "", text).strip("\n")


def in_markdown(text, known):
    """Paragraphs with names linked to where they are declared; indented paragraphs as code."""
    def name(found):
        word = found.group(0)
        if word in known:
            return "[`%s`](%s)" % (word, known[word])
        return "`%s`" % word

    out = []
    for paragraph in re.split(r"\n\s*\n", text):
        if re.match(r" {4}", paragraph) or re.search(r"\n {4,}\S.*\n {4,}", paragraph):
            out.append("```text\n%s\n```" % paragraph)
        else:
            words = re.split(r"(\b(?:swq|SWQ)_\w+\b)", paragraph)
            out.append("".join(name(re.match(".*", word, re.S)) if i % 2 else escaped(word)
                               for i, word in enumerate(words)))
    return "\n\n".join(out)


def c_pages(source, out):
    folder = os.path.join(source, "include/switchq")
    headers = sorted(name[:-2] for name in os.listdir(folder) if name.endswith(".h"))
    headers.remove("switchq")
    pages, known = {}, {}
    for header in headers:
        parts = list(chunks(read(os.path.join(folder, header + ".h"))))
        pages[header] = parts
        for _, declaration in parts:
            found = declared(declaration) if declaration else None
            if found and found not in known:
                known[found] = "%s.md#%s" % (header, anchor(found))
                bare = re.sub(r"/\*.*?\*/", "", declaration, flags=re.S)
                several = r"\bswq_\w+(?=[,;\[])" if bare.startswith("extern") else r"\bSWQ_\w+" if "enum" in bare else "$^"
                for name in re.findall(several, bare):
                    known.setdefault(name, known[found])
    for header in headers:  # nothing may be left out
        for name in re.findall(r"^[a-z][\w \*]*?\b(swq_\w+)\(", read(os.path.join(folder, header + ".h")), flags=re.M):
            if name not in known:
                sys.exit("pages.py: %s of %s.h has no place on its page" % (name, header))
    index = ["# The C library", "",
             "One header brings all: `#include <switchq/switchq.h>`. Each page here is one of the headers that it includes, "
             "as it stands in `include/switchq/`.", "", "| header | what it is for |", "|---|---|"]
    for header, parts in pages.items():
        intro = ""
        if parts and not parts[0][1]:
            intro = prose(parts[0][0])
            parts = parts[1:]
        lines = ["# switchq/%s.h" % header, "", in_markdown(intro, known), ""]
        seen = set()
        for comment, declaration in parts:
            found = declared(declaration) if declaration else None
            if found and found not in seen:
                lines += ["## %s" % found, ""]
                seen.add(found)
            if comment:
                lines += [in_markdown(prose(comment), known), ""]
            if declaration:
                lines += ["```c", declaration, "```", ""]
        write(os.path.join(out, "reference/c", header + ".md"), "\n".join(lines))
        first = re.split(r"(?<=[a-z\d)]\.)\s", intro)[0].replace("\n", " ").rstrip(".")
        index.append("| [%s.h](%s.md) | %s |" % (header, header, escaped(first)))
    write(os.path.join(out, "reference/c/index.md"), "\n".join(index) + "\n\n" + tree(headers))


# The Python API

def signature(node):
    return ast.unparse(node.args)


def docstring(text):
    """A docstring as Markdown: paragraphs, sessions of the interpreter as code."""
    out = []
    for paragraph in re.split(r"\n\s*\n", text or ""):
        before, prompt, session = paragraph.partition(">>> ")
        if before.strip():
            parts = re.split(r"(`[^`]+`)", before.strip())
            out.append("".join(part if i % 2 else escaped(part) for i, part in enumerate(parts)))
        if prompt:
            lines = (prompt + session).splitlines()
            out.append("```python\n%s\n```" % "\n".join(line.strip() if line.startswith("    >>>") else line
                                                      for line in lines))
    return "\n\n".join(out)


def python_page(source, out):
    folder = os.path.join(source, "python/switchq")
    package = ast.parse(read(os.path.join(folder, "__init__.py")))
    public = next(ast.literal_eval(node.value) for node in package.body
                  if isinstance(node, ast.Assign) and node.targets[0].id == "__all__")
    found = {}
    for name in sorted(os.listdir(folder)):
        if name.endswith(".py"):
            for node in ast.parse(read(os.path.join(folder, name))).body:
                if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                    found[node.name] = node
    lines = ["# Python: all names", "", "[Python](../docs/python.md) explains how to use them.", "", docstring(ast.get_docstring(package)), ""]
    for name in public:
        node = found.get(name)
        if node is None:
            continue
        if isinstance(node, ast.FunctionDef):
            lines += ["## %s" % name, "", "```python\n%s(%s)\n```" % (name, signature(node)), "",
                      docstring(ast.get_docstring(node)), ""]
            continue
        lines += ["## %s" % name, "", docstring(ast.get_docstring(node)), ""]
        for method in node.body:
            if isinstance(method, ast.FunctionDef) and not method.name.startswith("_"):
                is_property = any(getattr(d, "id", "") == "property" for d in method.decorator_list)
                shown = name + "." + method.name
                arguments = "" if is_property else "(%s)" % re.sub(r"^(self|cls)(, )?", "", signature(method))
                lines += ["### %s" % escaped(shown), "", "```python\n%s%s\n```" % (shown, arguments), "",
                          docstring(ast.get_docstring(method)), ""]
    write(os.path.join(out, "reference/python.md"), "\n".join(lines))


# The order of it all

def order(out):
    """Headings of docs/README.md, each with the pages that it links to, in its order."""
    sections, seen = [], set()
    for line in read(os.path.join(out, "docs/README.md")).splitlines():
        if line.startswith("## "):
            sections.append((line[3:], []))
        for _, target, _, _ in LINK.findall(line):
            page = os.path.normpath(os.path.join("docs", target))
            if page.endswith(".md") and page not in seen:
                seen.add(page)
                sections[-1][1].append(page[:-3])
    return sections


def main(program, source, extra, out):
    copied(source, out)
    program_pages(program, out)
    c_pages(source, out)
    python_page(source, out)
    text = read(os.path.join(source, "site/live.md"))
    if not os.path.isdir(os.path.join(extra, "live")):  # not built: its item is left out
        text = re.sub(r'^- <a href="live/.*\n(?:  .*\n)*', "", text, flags=re.M)
        text = text.replace("Two pages show it", "This page shows it")
    write(os.path.join(out, "live.md"), text)
    text = read(os.path.join(out, "index.md"))
    listed = order(out)
    for caption, pages in listed:
        if caption == "Learn":
            pages.append("live")
        if caption == "Look up":
            pages += ["reference/options/index", "reference/help/index", "reference/c/index", "reference/python"]
        text += "\n" + tree(pages, ":caption: " + caption)
    known = {page for _, pages in listed for page in pages}
    others = sorted(page for page in (os.path.relpath(path, out)[:-3] for path in WRITTEN if path.endswith(".md"))
                    if page.startswith("docs/") and page not in known)  # that docs/README.md does not name
    text += "\n" + tree([*others, "changes/README", "CHANGELOG", "SECURITY"], ":caption: More")
    write(os.path.join(out, "index.md"), text)
    remove_others(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
