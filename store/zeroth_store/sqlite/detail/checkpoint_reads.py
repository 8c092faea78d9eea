"""The part of the browser that reads checkpoints."""

from __future__ import annotations

from zeroth_store.browse import CheckpointSummary, JsonText, RunKey
from zeroth_store.checkpoint_detail import CheckpointFacts, CheckpointState, RunAsOf
from zeroth_store.encryption import EncryptionKey
from zeroth_store.sqlite.connection.reader import ReadConnection
from zeroth_store.sqlite.detail.as_of import read_run_as_of
from zeroth_store.sqlite.detail.snapshot_states import read_facts, read_state
from zeroth_store.sqlite.detail.snapshots import checkpoint_state, list_checkpoints


class CheckpointReads:
    """A CheckpointBrowser over a database that a browser opens and closes."""

    _reader: ReadConnection
    _secret: EncryptionKey | None

    async def checkpoints(self, key: RunKey) -> tuple[CheckpointSummary, ...]:
        """Return the checkpoints of the run's thread in the thread's order, this run's included."""
        return await self._reader.run(list_checkpoints, key)

    async def checkpoint(self, key: RunKey, checkpoint_id: str) -> JsonText | None:
        """Return the stored state of one checkpoint in the run's scope, as text."""
        return await self._reader.run(checkpoint_state, key, checkpoint_id)

    async def checkpoint_state(self, key: RunKey, checkpoint_id: str) -> CheckpointState | None:
        """Return the state of one checkpoint in the run's scope; None when it is gone."""
        return await self._reader.run(read_state, key, checkpoint_id, self._secret)

    async def checkpoint_facts(
        self, key: RunKey, checkpoint_ids: tuple[str, ...]
    ) -> tuple[CheckpointFacts, ...]:
        """Return what to compare checkpoints of the run's scope by; those that are gone lack."""
        return await self._reader.run(read_facts, key, checkpoint_ids, self._secret)

    async def run_as_of(self, key: RunKey, checkpoint_id: str) -> RunAsOf | None:
        """Return the run that a checkpoint in the scope of `key` holds; None when none can be read.

        It is named by the run id in the checkpoint, which may be another one of the thread.
        """
        return await self._reader.run(read_run_as_of, key, checkpoint_id, self._secret)
