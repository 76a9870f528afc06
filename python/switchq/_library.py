# SPDX-License-Identifier: GPL-3.0-or-later
"""The shared library: found, called, and left when Ctrl-C is pressed.

A question is a list of words, its answer a JSON text; see include/switchq/ask.h. ctypes lets go of
Python's lock during a call, so other threads run on; the library answers one question at a time.
"""

import ctypes
import functools
import json
import os
import threading

_NAME = "libswitchq-ask.so.0"


class Error(Exception):
    """A question that could not be answered, or not in full.

    message: what the program would print; it names the option, the value and what is allowed.
    status:  its exit status: 1 a check failed, a method did not converge or a network is in a
             deadlock; 2 bad input; 3 a limit of memory or size.
    answer:  with status 1, what there is nevertheless (an Answer), or None.
    """

    def __init__(self, message, status, answer=None):
        super().__init__(message)
        self.message, self.status, self.answer = message, status, answer


def _paths():
    """Where the library may be: SWITCHQ_LIBRARY alone; else beside this module (a wheel), where
    `make install` has put it, where make builds it, if this module lies in a source tree, and where
    the system looks."""
    given = os.environ.get("SWITCHQ_LIBRARY")
    if given:
        return [given]
    here = os.path.dirname(os.path.abspath(__file__))
    tree = os.path.dirname(os.path.dirname(here))
    paths = [os.path.join(here, _NAME)]
    try:
        from ._installed import PATH
        paths.append(os.path.join(PATH, _NAME))
    except ImportError:
        pass
    if os.path.exists(os.path.join(tree, "include", "switchq", "ask.h")):
        paths.append(os.path.join(tree, "build", _NAME))
    return [path for path in paths if os.path.exists(path)] + [_NAME]


def _load():
    paths = _paths()
    failed = None
    for path in paths:
        try:
            return ctypes.CDLL(path)
        except OSError as error:
            failed = error
    raise ImportError(f"switchq: cannot load {_NAME} ({failed}); 'make' builds it, "
                      "'make install' installs it, and SWITCHQ_LIBRARY may name it") from failed


_library = _load()
# the text is copied from the pointer, which must then be freed
_library.swq_ask.restype = ctypes.c_void_p
_library.swq_ask.argtypes = [ctypes.c_int, ctypes.POINTER(ctypes.c_char_p)]
_library.swq_ask_free.restype = None
_library.swq_ask_free.argtypes = [ctypes.c_void_p]
_library.swq_ask_cancel.restype = None
_library.swq_ask_cancel.argtypes = []
_library.swq_ask_styles.restype = ctypes.c_void_p
_library.swq_ask_styles.argtypes = [ctypes.c_int, ctypes.POINTER(ctypes.c_char_p)]
_library.swq_ask_version.restype = ctypes.c_char_p
_library.swq_ask_version.argtypes = []


def version() -> str:
    """The library's version."""
    return _library.swq_ask_version().decode()


def _encoded(word):
    encoded = os.fsencode(word)
    if b"\0" in encoded:
        raise Error(f"{word!r} has a null character in it", 2)
    return encoded


def _text_of(function, words):
    """What a function of the library makes of encoded words."""
    array = (ctypes.c_char_p * len(words))(*words)
    pointer = function(len(words), array)
    if not pointer:
        raise MemoryError("switchq: no memory")
    try:
        return ctypes.string_at(pointer).decode()
    finally:
        _library.swq_ask_free(pointer)


def _ask(words):
    return _text_of(_library.swq_ask, words)


def styles(names):
    """The styles that --plot gives to curves with these names: a list of dicts of colour, dash, mark,
    and kind, whether a word of the name has a style of its own."""
    return json.loads(_text_of(_library.swq_ask_styles, [name.encode() for name in names]))


def _ask_interruptibly(words):
    """As _ask, in a thread of its own, since Python sees Ctrl-C only between calls to C. The
    exception is raised when the library has come to an end, so that nothing runs on behind it."""
    result = {}
    gate = threading.Lock()  # decides whether the thread enters the library or never will
    done = threading.Event()  # Thread.join, when interrupted, considers the thread finished

    def work():
        with gate:
            result["entered"] = not result.get("abandoned")
        try:
            if result["entered"]:
                result["text"] = _ask(words)
        except BaseException as error:  # passed to the thread that asked
            result["error"] = error
        done.set()

    try:
        threading.Thread(target=work, name="switchq", daemon=True).start()
        while not done.wait(0.2):
            pass
    except BaseException:
        with gate:
            result["abandoned"] = True
        while result.get("entered") and not done.wait(0.02):
            _library.swq_ask_cancel()
        raise
    if "error" in result:
        raise result["error"]
    return result["text"]


def ask(words):
    """The reply to a command line, as a dict of status, message and answer."""
    encoded = [_encoded(word) for word in words]
    if threading.current_thread() is threading.main_thread():
        text = _ask_interruptibly(encoded)
    else:
        text = _ask(encoded)
    return json.loads(text)


@functools.lru_cache(maxsize=None)
def keys_of(command):
    """The options of a command that answers have under a key, as a dict: {"high": "high_fraction"}."""
    page = ask(["help", command])["answer"] or {}
    return {row["name"]: row["key"] for row in page.get("options", []) if row.get("key")}
