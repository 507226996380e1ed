"""What the tests run on: FUTI_BACKENDS has the backends (``interp,vulkan``), FUTI the program ``futi``."""

import os
import shutil

import pytest

BACKENDS = os.environ.get("FUTI_BACKENDS", "interp").split(",")


@pytest.fixture(params=BACKENDS)
def backend(request):
    return request.param


@pytest.fixture
def futi_program():
    program = os.environ.get("FUTI") or shutil.which("futi")
    if not program:
        pytest.skip("there is no program futi: set FUTI to it")
    return program
