"""A simulated visitor without a browser, which exchanges Streamlit's messages with a running app over a websocket."""

import json
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from urllib.request import Request, urlopen

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

_XSRF_COOKIE = "_streamlit_xsrf"


class Visitor:
    """A session on a page of the app. ``query`` is the query string of the URL."""

    def __init__(self, address: str, page: str = "", query: str = ""):
        self._address, self.query = address, query
        self._states: dict[str, WidgetState] = {}
        self._known: dict[str, ForwardMsg] = {}  # messages already received from the server
        self._elements: dict[tuple[int, ...], object] = {}
        self._intervals_s: dict[str, float] = {}  # intervals in seconds of fragments that run automatically
        self.fragments: dict[str, None] = {}  # all fragments of the page so far, in order
        self._page = self.session = ""
        with urlopen(f"{address}/_stcore/health") as answer:
            self._xsrf = answer.headers["Set-Cookie"].partition(f"{_XSRF_COOKIE}=")[2].partition(";")[0]
        url = address.replace("http", "ws", 1) + "/_stcore/stream"
        headers = {"Cookie": f"{_XSRF_COOKIE}={self._xsrf}"}
        options = {"subprotocols": ["streamlit"], "max_size": None, "open_timeout": 240, "ping_interval": None}
        self._open = ExitStack()
        self._socket = self._open.enter_context(connect(url, additional_headers=headers, **options))
        self._run(page_name=page)

    def __enter__(self) -> "Visitor":
        return self

    def close(self, *_: object) -> None:
        self._open.close()

    __exit__ = close

    def click(self, key: str) -> None:
        """Press the button with this key and wait until the script has run."""
        self._run(WidgetState(id=self._widget_id(key), trigger_value=True))

    def write(self, **texts: str) -> None:
        """Type texts into the fields whose keys end in these names. The next click sends them."""
        for key, text in texts.items():
            self._states[key] = WidgetState(id=self._widget_id(key), string_value=text)

    def choose(self, key: str, name: str) -> None:
        """Choose the option with this label in the segmented control with this key."""
        self._states[key] = WidgetState(id=self._widget_id(key), string_array_value={"data": [name]})
        self._run()

    def upload(self, key: str, name: str, content: bytes) -> None:
        """Upload a file with the uploader of this key."""
        self.upload_all(key, [(name, content)])

    def upload_all(self, key: str, files: Iterable[tuple[str, bytes]]) -> None:
        """Upload files with the uploader of this key."""
        info = [self._upload_file(name, content) for name, content in files]
        self._states[key] = WidgetState(id=self._widget_id(key), file_uploader_state_value={"uploaded_file_info": info})
        self._run()

    def _upload_file(self, name: str, content: bytes) -> dict[str, object]:
        """Upload a file, and return its record for the uploader."""
        urls = self.request_upload_urls(name)
        headers = {"Cookie": f"{_XSRF_COOKIE}={self._xsrf}", "X-Xsrftoken": self._xsrf, "Content-Type": "multipart/form-data; boundary=cut"}
        head = f'--cut\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\nContent-Type: text/plain\r\n\r\n'
        with urlopen(Request(self._address + urls.upload_url, head.encode() + content + b"\r\n--cut--\r\n", headers, method="PUT")):
            pass
        return {"name": name, "size": len(content), "file_id": urls.file_id, "file_urls": urls}

    def request_upload_urls(self, name: str) -> FileURLs:
        upload_request = {"request_id": name, "file_names": [name], "session_id": self.session}
        self._socket.send(BackMsg(file_urls_request=upload_request).SerializeToString())
        answer = next(message for message in self._messages() if message.WhichOneof("type") == "file_urls_response")
        return answer.file_urls_response.file_urls[0]

    def begin(self, pressed_button: WidgetState | None = None, *, fragment: str = "", page_name: str = "") -> None:
        """Request a run of the script or of a fragment, without waiting for the result."""
        message = BackMsg()
        message.rerun_script.query_string, message.rerun_script.page_script_hash = self.query, self._page
        message.rerun_script.page_name, message.rerun_script.fragment_id = page_name, fragment
        message.rerun_script.is_auto_rerun = fragment in self._intervals_s
        message.rerun_script.widget_states.widgets.extend([*self._states.values(), *([pressed_button] if pressed_button else [])])
        message.rerun_script.cached_message_hashes.extend(self._known)
        self._socket.send(message.SerializeToString())

    def shown_text(self) -> str:
        """Return HTML, buttons and progress bars of the page as serialized by Streamlit."""
        shown_elements = (e for e in self._elements.values() if e.WhichOneof("type") in ("html", "button", "progress"))
        return "\n".join(getattr(e, e.WhichOneof("type")).SerializeToString().decode(errors="replace") for e in shown_elements)

    def wait_for_text(self, text: str, *, seconds: float = 240) -> None:
        """Refresh the page until it shows the text. Raises TimeoutError if this takes too long."""
        end = time.monotonic() + seconds
        while text not in self.shown_text():
            if time.monotonic() > end:
                raise TimeoutError(f"no {text!r} in {seconds} s; the page shows {self.shown_text()[-2000:]}")
            self.refresh()

    def refresh(self) -> None:
        """Wait a moment, then run the automatic fragments or the page."""
        time.sleep(max([0.0, *self._intervals_s.values()]))
        for fragment in list(self._intervals_s) or [""]:
            self._run(fragment=fragment)

    def _widget_id(self, key: str) -> str:
        parts = (getattr(e, e.WhichOneof("type")) for e in self._elements.values())
        ids = [part.id for part in parts if hasattr(part, "id")]
        matching_ids = [name for name in dict.fromkeys(ids) if name.endswith((f"-{key}", f".{key}"))]
        if len(matching_ids) != 1:
            raise LookupError(f"found {matching_ids}, expected one widget {key!r} among {ids}")
        return matching_ids[0]

    def _run(self, pressed_button: WidgetState | None = None, *, fragment: str = "", page_name: str = "") -> None:
        self.begin(pressed_button, fragment=fragment, page_name=page_name)
        for message in self._messages():
            match message.WhichOneof("type"):
                case "new_session" if not fragment:
                    self._elements, self._intervals_s = {}, {}
                case "script_finished" if message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                    fragment = ""
                case "script_finished":
                    return
            self._update(message)

    def _update(self, message: ForwardMsg) -> None:
        if message.delta.fragment_id:
            self.fragments[message.delta.fragment_id] = None
        match message.WhichOneof("type"):
            case "new_session":
                self.session = message.new_session.initialize.session_id
            case "navigation":
                self._page = message.navigation.page_script_hash
            case "delta" if message.delta.new_element.WhichOneof("type"):
                self._elements[tuple(message.metadata.delta_path)] = message.delta.new_element
            case "page_info_changed":
                self.query = message.page_info_changed.query_string
            case "auto_rerun":
                self._intervals_s[message.auto_rerun.fragment_id] = message.auto_rerun.interval

    def _messages(self) -> Iterator[ForwardMsg]:
        while True:
            try:
                message = ForwardMsg.FromString(self._socket.recv(timeout=240))
            except ConnectionClosed:
                raise ConnectionError("the app closed the connection") from None
            if message.WhichOneof("type") == "ref_hash":
                known_message = self._known[message.ref_hash]
                known_message.metadata.CopyFrom(message.metadata)
                message = known_message
            elif message.metadata.cacheable:
                self._known[message.hash] = message
            yield message


def json_lines(items: list[dict]) -> bytes:
    return "".join(json.dumps(item) + "\n" for item in items).encode()
