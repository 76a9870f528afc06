# SPDX-License-Identifier: GPL-3.0-or-later
# The site's settings for Sphinx. Nothing on its pages comes from a network: fonts are the
# system's, and there is no mathematics that a script would have to typeset.
import os
import re
import shutil

_source = os.environ["SWITCHQ_SOURCE"]
with open(os.path.join(_source, "include/switchq/version.h"), encoding="utf-8") as _header:
    release = re.search(r'SWQ_VERSION "(.*)"', _header.read()).group(1)
project = "switchq"
author = "the switchq authors"
version = release
extensions = ["myst_parser"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 4
html_theme = "furo"
html_title = "switchq " + release
smartquotes = False  # "--load" is two dashes
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False
html_show_search_summary = False  # it would fetch the pages found, which a file may not do
pygments_style = "tango"
pygments_dark_style = "monokai"
html_static_path = [os.path.join(_source, "site/static")]
html_css_files = ["site.css"]
html_extra_path = [os.environ["SWITCHQ_EXTRA"]]  # pages that are made otherwise
html_theme_options = {
    "footer_icons": [],
    "light_css_variables": {"color-brand-primary": "#0072b2", "color-brand-content": "#0072b2"},
    "dark_css_variables": {"color-brand-primary": "#56b4e9", "color-brand-content": "#56b4e9"},
}
# shells' prompts and lines of "..." in the examples are no language that must be understood whole
suppress_warnings = ["misc.highlighting_failure"]


def _alone(app, failure):
    """Debian's furo imports a style from the web server's root and a module, neither of which a page
    that is opened as a file has: the style comes along, and the module becomes part of the script.
    Its style has lost the colours for systems that prefer dark pages: they are those of the theme
    chosen by hand."""
    if failure or app.builder.name != "html":
        return
    static = os.path.join(app.outdir, "_static")
    style = os.path.join(static, "styles/furo.css")
    with open(style, encoding="utf-8") as file:
        text = file.read()
    if "(/javascript/normalize.css/normalize.css)" in text:
        shutil.copyfile("/usr/share/javascript/normalize.css/normalize.css", os.path.join(static, "styles/normalize.css"))
        text = text.replace("(/javascript/normalize.css/normalize.css)", "(normalize.css)")
    dark = re.search(r'body\[data-theme="dark"\] (\{\s*--[^}]*\})', text)
    if dark and "prefers-color-scheme" not in text:
        text += '\n@media screen and (prefers-color-scheme: dark) {\nbody:not([data-theme="light"]) %s\n}\n' % dark.group(1)
    with open(style, "w", encoding="utf-8") as file:
        file.write(text)
    script = os.path.join(static, "scripts/furo.js")
    with open(script, encoding="utf-8") as file:
        text = file.read()
    line = 'import Gumshoe from "./gumshoe-patched.js";'
    if line in text:
        with open(os.path.join(static, "scripts/gumshoe-patched.js"), encoding="utf-8") as file:
            module = file.read()
        with open(script, "w", encoding="utf-8") as file:
            file.write(module + "(function () {\n" + text.replace(line, "") + "})();\n")


def setup(app):
    app.connect("build-finished", _alone)
