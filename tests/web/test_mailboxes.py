"""One mail address is one person, however it is spelt."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command

from branchline.web.core.security.tokens import token_hash
from branchline.web.core.store import schema, tables
from branchline.web.core.store.database import Store
from branchline.web.core.store.mailboxes import domain_of, mailbox_of
from branchline.web.notices import store as notices
from branchline.web.notices.store import EMAIL, TooMany, Unwanted
from web.receivers import Mailbox, mailbox
from web.test_turn_notices import ANNA, BEN, Clock, chosen, looked, new_game, process_on

NOW = 1_790_000_000.0

SPELLINGS = {
    "tags": ("v@example.org", "v+1@example.org", "v+2@example.org", "V+3@example.org", "v+@example.org"),
    "dots at Gmail": ("a.vic@gmail.com", "av.ic@gmail.com", "avic@gmail.com", "a.v.i.c@gmail.com", "avic+x@gmail.com"),
    "two names of Gmail": ("avic@gmail.com", "avic@googlemail.com", "A.Vic@GoogleMail.com", "a.vic+y@googlemail.com"),
    "large letters": ("Anna@Example.ORG", "anna@example.org", "ANNA@EXAMPLE.ORG", "aNNa@eXample.org"),
    "a dot at the end": ("v@example.org", "v@example.org.", "v.@example.org", ".v@example.org"),
    "other alphabets": (
        "v@b\u00fccher.example",
        "v@xn--bcher-kva.example",
        "v@B\u00dcCHER.example",
        "v@XN--BCHER-KVA.example",
    ),
    "Proton": ("a-b.c@proton.me", "abc@protonmail.com", "a_b_c@pm.me", "a.bc+1@proton.me"),
    "subdomains of Fastmail": ("anna@fastmail.com", "shop@anna.fastmail.com", "bank@anna.fastmail.com"),
}


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    url = f"sqlite:///{tmp_path / 'rooms.sqlite'}" if request.param == "sqlite" else request.getfixturevalue("postgres")
    opened = Store(url)
    with opened.engine.begin() as connection:
        connection.execute(tables.mail_addresses.delete())
    yield opened
    opened.close()


@pytest.fixture
def box() -> Iterator[Mailbox]:
    with mailbox() as running:
        yield running


def asked(store: Store, addresses: tuple[str, ...]) -> list[str]:
    """The addresses that a mail went to, each named by a browser of its own."""
    found = []
    for place, address in enumerate(addresses):
        try:
            notices.ask_address(store, token_hash(f"browser {place}"), address, "en", NOW + place)
        except TooMany:
            continue
        found.append(address)
    return found


@pytest.mark.parametrize("kind", SPELLINGS)
def test_all_spellings_of_an_address_are_one_mailbox(kind: str) -> None:
    assert len({mailbox_of(spelt) for spelt in SPELLINGS[kind]}) == 1
    assert len({notices.target_of(EMAIL, spelt) for spelt in SPELLINGS[kind]}) == 1


def test_different_people_are_not_taken_for_one() -> None:
    people = ("a.b@example.org", "ab@example.org", "a-b@gmail.com", "ab@gmail.com", "ab@example.com", "+@example.org")
    assert len({mailbox_of(one) for one in people}) == len(people)


@pytest.mark.parametrize("kind", SPELLINGS)
def test_a_person_is_asked_three_times_a_day_however_the_address_is_spelt(store: Store, kind: str) -> None:
    spelt = (SPELLINGS[kind] * 3)[:6]
    assert len(asked(store, spelt)) == notices.DAILY_QUESTIONS


def test_who_refused_under_one_spelling_is_not_asked_under_another(store: Store) -> None:
    first = notices.ask_address(store, token_hash("one"), "a.vic+games@gmail.com", "en", NOW)
    notices.stop_address(store, first.id, NOW + 1)
    with pytest.raises(Unwanted):
        notices.ask_address(store, token_hash("two"), "avic@googlemail.com", "en", NOW + 2)


@pytest.mark.long
def test_a_domain_is_asked_so_often_only_and_a_large_provider_more_often(store: Store) -> None:
    own = tuple(f"person{n}@{'abc'[n % 3]}.example.org" for n in range(40))
    large = tuple(f"person{n}@gmail.com" for n in range(40))
    assert len(asked(store, own)) == notices.DAILY_QUESTIONS_OF_DOMAIN
    assert len(asked(store, large)) == 40


@pytest.mark.parametrize(
    ("mailbox", "domain"),
    [
        ("a@example.org", "example.org"),
        ("a@mail.x.example.org", "example.org"),
        ("a@shop.example.co.uk", "example.co.uk"),
        ("a@firma.com.pl", "firma.com.pl"),
        ("a@poczta.onet.pl", "poczta.onet.pl"),
        ("a@localhost", "localhost"),
    ],
)
def test_what_the_owner_of_a_domain_can_make_up_does_not_count(mailbox: str, domain: str) -> None:
    assert domain_of(mailbox) == domain


def test_addresses_of_the_version_before_get_their_mailbox(store: Store) -> None:
    notices.ask_address(store, token_hash("one"), "A.Vic+games@googlemail.com", "en", NOW)
    with store.engine.begin() as connection:
        command.downgrade(schema._config(connection), "0016")
        assert "mailbox" not in {column["name"] for column in sa.inspect(connection).get_columns("mail_addresses")}
        schema.move(connection, schema.LATEST)
        row = connection.execute(sa.select(tables.mail_addresses)).one()
    assert (row.address, row.mailbox, row.domain) == ("A.Vic+games@googlemail.com", "avic@gmail.com", "gmail.com")


def test_an_address_is_counted_that_a_process_of_the_version_before_has_added(store: Store) -> None:
    for place in range(notices.DAILY_QUESTIONS):
        notices.ask_address(store, token_hash(f"old {place}"), "anna@example.org", "en", NOW)
    with store.engine.begin() as connection:
        connection.execute(tables.mail_addresses.update().values(mailbox="", domain=""))
    with pytest.raises(TooMany):
        notices.ask_address(store, token_hash("new"), "Anna@example.org", "en", NOW)


def test_two_spellings_of_an_address_are_told_once_of_a_turn(database: str, box: Mailbox) -> None:
    async def meet() -> None:
        async with process_on(database, Clock(), box.settings) as service:
            live_room = await new_game(service)
            service.store.allow(live_room.id, BEN, [0])  # the same seat on another device
            chosen(service, ANNA, email="anna@example.net")
            chosen(service, BEN, email="Anna+games@example.net")
            await looked(service)
            await looked(service)
            assert len(box.mails) == 1

    asyncio.run(meet())
