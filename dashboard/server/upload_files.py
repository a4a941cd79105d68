"""The files as browsers send them, which Streamlit keeps until their window closes: bounded, where strangers come.

The widget takes one file, but anybody may send others straight to the address it sends to.
"""

from __future__ import annotations

from starlette.exceptions import HTTPException
from streamlit.runtime import memory_uploaded_file_manager as streamlit_files
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

EACH_MEGABYTES = 45
"""Of one window: two files of the largest size, for the task set and for a run to import."""
ALL_MEGABYTES = 400
_MEGABYTE = 2**20


class BoundedFiles(MemoryUploadedFileManager):
    """Lets go of a window's oldest files when it sends too many, and refuses more than the server holds."""

    def add_file(self, session_id: str, file: UploadedFileRec) -> None:
        """Keep a file of a session, in place of its oldest if need be."""
        with self._lock:
            own = {name: len(kept.data) for name, kept in self.file_storage.get(session_id, {}).items()}
        own.pop(file.file_id, None)
        for oldest in list(own):
            if sum(own.values()) + len(file.data) <= EACH_MEGABYTES * _MEGABYTE:
                break
            self.remove_file(session_id, oldest)
            del own[oldest]
        if self._total_bytes + len(file.data) > ALL_MEGABYTES * _MEGABYTE:
            raise HTTPException(status_code=503, detail="the server holds as many files as it may; try again later")
        super().add_file(session_id, file)


def install_upload_limits() -> None:
    """Before the server is made: it makes its store of files of this class."""
    streamlit_files.MemoryUploadedFileManager = BoundedFiles  # type: ignore[misc]
