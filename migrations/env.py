"""Runs the migration scripts on the connection that `zeroth_store.schema.upgrade` hands over.

The caller has begun the transaction and commits it, so all scripts and the version number land
together or not at all.
"""

from alembic import context

from zeroth_store.schema import VERSION_TABLE

context.configure(
    connection=context.config.attributes["connection"],
    version_table=VERSION_TABLE,
    transactional_ddl=True,
)
context.run_migrations()
