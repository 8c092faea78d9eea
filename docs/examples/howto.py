"""Create a run, move it through its life, and read it back: the how-to guide's example."""

# ruff: noqa: D103 - the guide's text stays as printed

import asyncio

from zeroth_store import AsyncSQLiteDatabase, Run, RunRepository, RunStatus


async def main() -> None:
    # 1. Open a database and a run repository
    db = AsyncSQLiteDatabase(path=":memory:")
    await db.connect()
    repo = RunRepository(db)
    await repo.initialize()

    # 2. Create a run (in practice, the orchestrator does this for you)
    run = Run(
        graph_id="doc.summariser",
        thread_id=None,
        status=RunStatus.PENDING,
        inputs={"text": "Hello world"},
    )
    await repo.create(run)

    # 3. ...orchestrator executes the graph, advancing the run...
    await repo.transition(run.id, RunStatus.RUNNING)
    await repo.transition(run.id, RunStatus.COMPLETED)

    # 4. Load it back and inspect its state
    loaded: Run = await repo.get(run.id)
    print("status :", loaded.status)
    print("outputs:", loaded.outputs)
    print("history:")
    for entry in loaded.history:
        print(f"  {entry.node_id} -> {entry.status}  (attempt {entry.attempt})")


asyncio.run(main())
