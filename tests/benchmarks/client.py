"""A visitor without a browser: speaks to the server as Streamlit's page does, over a web socket."""

from __future__ import annotations

import http.client
import time
import uuid
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.RootContainer_pb2 import RootContainer
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect
from websockets.typing import Subprotocol

#: Seconds after which an answer is given up.
PATIENCE = 600


class Client:
    """A session with the dashboard.

    Attributes:
        pages: address -> Streamlit's key of the page.
        widgets: of the page, by their identifiers, with their kinds.
        said: texts of the page.
        answered: seconds until the last element of the page arrived, the sidebar apart; of the last run.
        arrived: seconds until each widget and chart of the page arrived, by its identifier; of the last run.
    """

    def __init__(self, address: str) -> None:
        host = urlsplit(address).netloc
        self._host = host
        self._cookie = _cookie(host)
        self._socket = connect(
            f"ws://{host}/_stcore/stream",
            subprotocols=[Subprotocol("streamlit")],
            max_size=None,
            ping_interval=None,
            open_timeout=PATIENCE,
        )
        self._state: dict[str, WidgetState] = {}
        self._page = ""
        self._query = ""
        self._session = ""
        self._begun = time.perf_counter()
        self.pages: dict[str, str] = {}
        self.widgets: dict[str, tuple[str, Any]] = {}
        self.said: list[str] = []
        self.answered = 0.0
        self.arrived: dict[str, float] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the tab."""
        self._socket.close()

    def open(self, path: str = "") -> float:
        """Open the page at an address for the first time, or in a new tab; gives the seconds until it stands."""
        message = BackMsg()
        message.rerun_script.page_name = path
        return self._ask(message)

    def visit(self, path: str) -> float:
        """Go to a page by its link."""
        self._page = self.pages[path]
        self._state = {}
        return self._run()

    def click(self, key: str) -> float:
        """Click a button."""
        return self._run(WidgetState(id=self._widget(key), trigger_value=True))

    def choose(self, key: str, **value: Any) -> float:
        """Choose a value of a widget, given by the field of its state."""
        state = WidgetState(id=self._widget(key), **value)
        self._state[state.id] = state
        return self._run()

    def upload(self, files: Mapping[str, bytes]) -> float:
        """Drop files on the page that is open."""
        begun = time.perf_counter()
        request = BackMsg()
        request.file_urls_request.request_id = uuid.uuid4().hex
        request.file_urls_request.file_names.extend(files)
        request.file_urls_request.session_id = self._session
        self._socket.send(request.SerializeToString())
        while True:
            message = self._receive()
            if message.WhichOneof("type") == "file_urls_response":
                break
        uploader = next(name for name, (kind, _) in self.widgets.items() if kind == "file_uploader")
        state = WidgetState(id=uploader)
        for place, (name, data) in zip(message.file_urls_response.file_urls, files.items(), strict=True):
            self._put(place.upload_url, name, data)
            info = state.file_uploader_state_value.uploaded_file_info.add()
            info.file_id, info.name, info.size = place.file_id, name, len(data)
            info.file_urls.CopyFrom(place)
        self._run(state)
        return time.perf_counter() - begun

    def _widget(self, key: str) -> str:
        return next(name for name in self.widgets if name.endswith(f"-{key}"))

    def _put(self, path: str, name: str, data: bytes) -> None:
        edge = uuid.uuid4().hex
        head = f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
        body = head.encode() + b"Content-Type: text/plain\r\n\r\n" + data + f"\r\n--{edge}--\r\n".encode()
        token = self._cookie.partition("=")[2]
        headers = {
            "Content-Type": f"multipart/form-data; boundary={edge}",
            "Cookie": self._cookie,
            "X-Xsrftoken": token,
        }
        connection = http.client.HTTPConnection(self._host, timeout=PATIENCE)
        connection.request("PUT", path, body, headers)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        if answer.status >= http.client.BAD_REQUEST:
            raise RuntimeError(f"upload of {name}: status {answer.status}")

    def _run(self, *once: WidgetState) -> float:
        message = BackMsg()
        message.rerun_script.page_script_hash = self._page
        message.rerun_script.query_string = self._query
        message.rerun_script.widget_states.CopyFrom(WidgetStates(widgets=[*self._state.values(), *once]))
        return self._ask(message)

    def _ask(self, message: BackMsg) -> float:
        """Seconds until the page stands."""
        self.widgets, self.said, self.arrived = {}, [], {}
        self._begun = begun = time.perf_counter()
        self._socket.send(message.SerializeToString())
        while True:
            answer = self._receive()
            if answer.WhichOneof("type") == "script_finished":
                if answer.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                    return time.perf_counter() - begun
                if answer.script_finished == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
                    raise RuntimeError("the app cannot be run")

    def _receive(self) -> ForwardMsg:
        data = self._socket.recv(PATIENCE)
        if isinstance(data, str):
            raise WebSocketException(data)
        message = ForwardMsg()
        message.ParseFromString(data)
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self._session = message.new_session.initialize.session_id
            self._page = message.new_session.page_script_hash or self._page
        elif kind == "navigation":
            self.pages = {page.url_pathname: page.page_script_hash for page in message.navigation.app_pages}
            self._page = message.navigation.page_script_hash or self._page
        elif kind == "page_info_changed":
            self._query = message.page_info_changed.query_string
        elif kind == "delta":
            seconds = time.perf_counter() - self._begun
            if message.metadata.delta_path[0] == RootContainer.MAIN:
                self.answered = seconds
            if message.delta.WhichOneof("type") == "new_element":
                self._note(message.delta.new_element, seconds)
        return message

    def _note(self, element: Any, seconds: float) -> None:
        kind = element.WhichOneof("type")
        content = getattr(element, kind)
        if kind == "exception":
            raise RuntimeError(content.message)
        if getattr(content, "id", ""):
            self.widgets[content.id] = (kind, content)
            self.arrived[content.id] = seconds
        elif kind in ("markdown", "heading", "alert", "text"):
            self.said.append(content.body)


def _cookie(host: str) -> str:
    """The cookie that proves that an upload comes from a page of the server."""
    connection = http.client.HTTPConnection(host, timeout=PATIENCE)
    connection.request("GET", "/_stcore/health")
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return (answer.getheader("Set-Cookie") or "").partition(";")[0]
