"""Delivery of Streamlit's messages to the browser, which redraws the page whenever a group of messages arrives."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.scriptrunner import ScriptRunContext, get_script_run_ctx

_METHOD = "enqueue"  # the method of Streamlit's script context that sends messages, replaced by an attribute of the same name


@contextmanager
def hold_messages() -> Iterator[None]:
    """Hold back the messages of a block. Send them together at the end of the block, or when :func:`send_held_messages` is called."""
    if context := get_script_run_ctx(suppress_warning=True):
        with suppress(AttributeError):  # other versions of Streamlit then send each message immediately
            setattr(context, _METHOD, _HeldMessages())
    try:
        yield
    finally:
        send_held_messages()


def send_held_messages() -> None:
    """Send the messages that :func:`hold_messages` has held back. Later messages are sent immediately."""
    context = get_script_run_ctx(suppress_warning=True)
    if context and isinstance(held_messages := getattr(context, _METHOD, None), _HeldMessages):
        delattr(context, _METHOD)
        held_messages.send(context)


class _HeldMessages:
    """A collector of messages that replaces the send method."""

    def __init__(self) -> None:
        self._messages: list[ForwardMsg] = []

    def __call__(self, message: ForwardMsg) -> None:
        self._messages.append(message)

    def send(self, context: ScriptRunContext) -> None:
        for message in self._messages:
            context.enqueue(message)
