"""What reaches inside Streamlit: each private part is there, as expected, and does what it is used for."""

from __future__ import annotations

import inspect
import logging
import re
import socket
import subprocess
import sys
import uuid
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit
from starlette.exceptions import HTTPException
from streamlit.runtime import Runtime
from streamlit.runtime import memory_uploaded_file_manager as kept
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.runtime.state import SafeSessionState, SessionState
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.testing.v1 import AppTest
from streamlit.web.server.starlette import starlette_server

from dashboard.server import streamlit_internals
from dashboard.server.streamlit_internals import BoundedFiles

APP = str(Path(__file__).resolve().parents[2] / "dashboard" / "app.py")


def test_changed_seeds_leave_no_callbacks_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Callbacks hold the task set they were made with; Streamlit keeps them for as long as the session lives."""
    monkeypatch.setenv("CURRICULAB_HOME", str(tmp_path))
    app = AppTest.from_file(APP, default_timeout=60)
    app.query_params["set"] = "plane-unrelated?train=4&test=2"
    app.query_params["C"] = "1"
    app.run()
    app.switch_page("pages/step/page.py").run()
    state: Any = app.session_state
    while not isinstance(state, SessionState):
        state = object.__getattribute__(state, "_state")
    kept = []
    for seed in range(1, 9):
        app.query_params["seed"] = str(seed)
        app.run()
        assert not app.exception
        kept.append(len(state._new_widget_state.widget_metadata))
    assert max(kept[2:]) <= kept[1] + 2, f"widgets that are kept after each change: {kept}"


def late_page() -> None:
    """Shows a button on its first run only, and says of every run whether its request is late."""
    import streamlit as st
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    from dashboard.server import streamlit_internals

    context = get_script_run_ctx()
    assert context is not None
    context.is_history_navigation = bool(st.session_state.get("back"))
    st.code(str(streamlit_internals.is_late()))
    if st.session_state.setdefault("first", True):
        st.checkbox("gone soon", key="gone")
    st.checkbox("stays", key="stays")
    st.session_state["first"] = False
    streamlit_internals.forget_callbacks()


def test_a_request_with_a_widget_that_is_gone_is_late_unless_the_reader_went_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = AppTest.from_function(late_page, default_timeout=60).run()
    old = app.checkbox(key="gone").check()._widget_state
    app.checkbox(key="gone").uncheck()
    said = [app.run().code[0].value, app.checkbox(key="stays").check().run().code[0].value]
    assert said == ["False", "False"]
    found = type(app._tree).get_widget_states

    def with_old(tree: Any) -> Any:
        states = found(tree)
        states.widgets.append(old)
        return states

    monkeypatch.setattr(type(app._tree), "get_widget_states", with_old)
    assert app.run().code[0].value == "True"
    app.session_state["back"] = True
    assert app.run().code[0].value == "False"


def test_a_public_server_keeps_files_in_the_bounded_store() -> None:
    code = (
        "import streamlit as st; from dashboard.server import streamlit_internals;"
        "streamlit_internals.install_upload_limits();"
        f"print(type(st.App({str(APP)!r})._create_runtime()._uploaded_file_mgr).__name__)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split()[-1] == "BoundedFiles"


def test_files_sent_past_the_widget_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MemoryUploadedFileManager", kept.MemoryUploadedFileManager)
    streamlit_internals.install_upload_limits()
    files = kept.MemoryUploadedFileManager("/_stcore/upload_file")
    assert isinstance(files, BoundedFiles)

    def send(session: str, megabytes: int) -> str:
        sent = UploadedFileRec(str(uuid.uuid4()), "f.bin", "", bytes(megabytes * 2**20))
        files.add_file(session, sent)
        return sent.file_id

    ids = [send("one", 20) for _ in range(5)]
    assert [file.file_id for file in files.get_files("one", ids)] == ids[-2:]
    for session in range(9):
        send(f"other {session}", 40)
    with pytest.raises(HTTPException):
        send("last", 20)
    files.remove_session_files("other 0")
    send("last", 20)


def test_a_server_whose_store_of_files_has_no_limits_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    def with_store(store: object) -> None:
        monkeypatch.setattr(Runtime, "instance", lambda: SimpleNamespace(uploaded_file_mgr=store))
        streamlit_internals.check_upload_limits()

    with_store(BoundedFiles("/"))
    with pytest.raises(RuntimeError, match="keeps uploads in a MemoryUploadedFileManager, which has no limits"):
        with_store(MemoryUploadedFileManager("/"))


def test_the_store_of_files_counts_what_our_limits_read() -> None:
    files = MemoryUploadedFileManager("/")
    files.add_file("session", UploadedFileRec("a", "f.bin", "", bytes(7)))
    assert files._total_bytes == 7
    assert [len(file.data) for file in files.file_storage["session"].values()] == [7]
    with files._lock:
        assert files.file_storage


def test_a_connection_to_the_server_sends_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(inspect.signature(starlette_server._bind_socket).parameters) == ["address", "port", "backlog"]
    monkeypatch.setattr(starlette_server, "_bind_socket", starlette_server._bind_socket)  # put back afterwards
    streamlit_internals.send_at_once()
    with (
        starlette_server._bind_socket("127.0.0.1", 0, 5) as listening,
        socket.create_connection(listening.getsockname()),
    ):
        listening.setblocking(True)
        connection, _ = listening.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_the_folder_of_our_pages_is_no_list_of_scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PagesManager, "uses_pages_directory", None)
    PagesManager(APP)
    assert PagesManager.uses_pages_directory is True
    streamlit_internals.take_no_folder_for_pages()
    PagesManager(APP)
    assert PagesManager.uses_pages_directory is False


def test_the_page_has_all_that_our_styles_and_scripts_name() -> None:
    """A selector of something that Streamlit's page no longer has does nothing, and says nothing."""
    static, dashboard = Path(streamlit.__file__).parent / "static", Path(APP).parent
    known = {word for path in static.rglob("*.js") for word in re.findall(r"[\w-]+", path.read_text(encoding="utf-8"))}
    assert "stBaseButton-" in known
    known |= {f"stBaseButton-{kind}" for kind in ("primary", "primaryFormSubmit") if kind in known}
    ours = [path for path in dashboard.rglob("*") if path.suffix in (".css", ".js") or path.name == "lecture.py"]
    own = {"data-testid", "data-go", "data-do", "data-tool"}
    named = {"data-test-script-state", "running", "data-test-connection-state", "CONNECTED", "js-plotly-plot"}
    for text in (path.read_text(encoding="utf-8") for path in ours):
        named |= set(re.findall(r"""\[data-testid=["']?([\w-]+)""", text))
        named |= set(re.findall(r"\[(data-[a-z-]+)", text)) - own
        named |= set(re.findall(r"\.(modebar[\w-]*|svg-container|katex|\w+layer)\b", text)) - {"player"}
    assert len(named) > 35
    assert sorted(named - known) == []


def test_runs_and_sessions_have_what_we_read_of_them() -> None:
    assert {"is_history_navigation", "fragment_ids_this_run"} <= set(ScriptRunContext.__dataclass_fields__)
    assert isinstance(Runtime.uploaded_file_mgr, property)
    assert list(inspect.signature(Runtime.is_active_session).parameters) == ["self", "session_id"]
    state = SessionState()
    assert streamlit_internals._widgets(SimpleNamespace(session_state=SafeSessionState(state, lambda: None))) is (
        state._new_widget_state
    )
    assert state._new_widget_state.widget_metadata == {}
    assert list(state._new_widget_state.states) == []


def test_a_streamlit_without_these_parts_says_so_in_the_log_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    streamlit_internals._missing.cache_clear()
    monkeypatch.delattr(starlette_server, "_bind_socket")
    monkeypatch.delattr(PagesManager, "uses_pages_directory")
    monkeypatch.setattr(
        streamlit_internals,
        "get_script_run_ctx",
        lambda **_: SimpleNamespace(session_state=object(), fragment_ids_this_run=None),
    )
    with caplog.at_level(logging.WARNING, logger="curriculab"):
        for _ in range(2):
            streamlit_internals.send_at_once()
            streamlit_internals.take_no_folder_for_pages()
            assert not streamlit_internals.is_late()
            streamlit_internals.forget_callbacks()
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == 4
    assert "_bind_socket: every answer comes 40 ms later" in said[0]
    assert "Page not found" in said[1]
    assert "quick changes may be undone" in said[2]
    assert "memory grows" in said[3]


def test_a_visitor_is_the_same_in_every_tab_though_the_cookie_is_masked_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    def visitor(token: bytes, mask: bytes) -> str:
        masked = bytes(byte ^ mask[k % len(mask)] for k, byte in enumerate(token))
        cookie = f"2|{mask.hex()}|{masked.hex()}|1700000000"
        context = SimpleNamespace(cookies={"_streamlit_xsrf": cookie})
        monkeypatch.setattr(streamlit_internals.st, "context", context)
        return streamlit_internals.visitor()

    assert visitor(bytes(16), b"abcd") == visitor(bytes(16), b"wxyz") != visitor(bytes(range(16)), b"abcd")
    assert "0000" not in visitor(bytes(16), b"abcd")
