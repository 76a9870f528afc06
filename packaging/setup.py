# SPDX-License-Identifier: GPL-3.0-or-later
"""The tags of the wheel: any Python 3, this machine's architecture, and its C library or a newer one.
The wheel carries shared libraries, so pip installs it beside modules for one platform
(Root-Is-Purelib: false), although nothing in it is compiled for one version of Python."""

import os
import sysconfig

from setuptools import Distribution, setup
from wheel.bdist_wheel import bdist_wheel


class Platform(Distribution):
    def has_ext_modules(self):
        return True


class Wheel(bdist_wheel):
    def get_tag(self):
        libc = os.confstr("CS_GNU_LIBC_VERSION").split()[1].replace(".", "_")
        return "py3", "none", f"manylinux_{libc}_{sysconfig.get_platform().split('-')[1]}"


setup(distclass=Platform, cmdclass={"bdist_wheel": Wheel})
