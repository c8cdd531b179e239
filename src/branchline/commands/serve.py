"""`branchline serve`: play in a browser."""

from __future__ import annotations

import importlib.util
import os
from dataclasses import replace
from enum import StrEnum
from typing import Annotated

import typer

from branchline.commands.files import CommandError
from branchline.commands.screen import say

PASSWORD = "BRANCHLINE_SMTP_PASSWORD"  # in the environment only: others can read a command line


class LogFormat(StrEnum):
    """How lines of the log are written."""

    TEXT = "text"
    JSON = "json"


class SmtpSecurity(StrEnum):
    """How the connection to a mail server is protected."""

    STARTTLS = "starttls"
    TLS = "tls"
    NONE = "none"


class WebhookReach(StrEnum):
    """Which webhooks are called."""

    PUBLIC = "public"
    ANY = "any"
    OFF = "off"


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 accepts other machines.")] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=65535,
            help="Port to listen on.",
            show_default="8000, or a free one",
        ),
    ] = None,
    database: Annotated[
        str,
        typer.Option(
            metavar="URL",
            envvar="BRANCHLINE_DATABASE",
            show_envvar=False,
            help="Where games are kept.",
            show_default=False,
        ),
    ] = "",
    redis: Annotated[
        str,
        typer.Option(
            metavar="URL",
            envvar="BRANCHLINE_REDIS",
            show_envvar=False,
            help="Redis for messages between processes.",
            show_default=False,
        ),
    ] = "",
    url: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="Public address, with its path if it has one; links begin with it.",
            show_default=False,
        ),
    ] = "",
    path: Annotated[
        str,
        typer.Option(
            metavar="PATH",
            help="Path at its host where browsers find the server, as in /games; --url says it too.",
            show_default="/",
        ),
    ] = "",
    origin: Annotated[
        list[str] | None,
        typer.Option(help="Another address that browsers see; can be repeated."),
    ] = None,
    secure: Annotated[bool, typer.Option("--secure", help="Browsers use https only.")] = False,
    proxy: Annotated[
        str, typer.Option(metavar="ADDRESSES", help="Proxies whose X-Forwarded-For is trusted.", show_default=False)
    ] = "",
    rates: Annotated[float, typer.Option(min=0.1, max=10_000, help="Multiply the rate limits for each address.")] = 1.0,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Server processes; more than one need PostgreSQL.")] = 1,
    metrics: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS", help="Answer Prometheus here, for instance 127.0.0.1:9100.", show_default="nowhere"
        ),
    ] = "",
    keep_days: Annotated[
        float,
        typer.Option(
            min=0, metavar="DAYS", help="Delete rooms that nobody has touched for so long; 0: keep them for ever."
        ),
    ] = 0.0,
    smtp: Annotated[
        str,
        typer.Option(
            metavar="HOST",
            envvar="BRANCHLINE_SMTP",
            show_envvar=False,
            help="Mail server, perhaps with a port, for notices of turns; needs --url and --smtp-from.",
            show_default="no mail",
        ),
    ] = "",
    smtp_from: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            envvar="BRANCHLINE_SMTP_FROM",
            show_envvar=False,
            help="Sender of these mails.",
            show_default=False,
        ),
    ] = "",
    smtp_security: Annotated[
        SmtpSecurity,
        typer.Option(
            envvar="BRANCHLINE_SMTP_SECURITY", show_envvar=False, help="How the connection to it is protected."
        ),
    ] = SmtpSecurity.STARTTLS,
    smtp_user: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            envvar="BRANCHLINE_SMTP_USER",
            show_envvar=False,
            help="Login at it; its password comes from the environment.",
            show_default="no login",
        ),
    ] = "",
    webhooks: Annotated[
        WebhookReach,
        typer.Option(
            envvar="BRANCHLINE_WEBHOOKS",
            show_envvar=False,
            help="Webhooks for notices of turns: at public addresses, at any, or none.",
        ),
    ] = WebhookReach.PUBLIC,
    warm_up: Annotated[bool, typer.Option(help="Lay out the boards in the background at the start.")] = True,
    analyse_ended: Annotated[
        bool,
        typer.Option(
            "--analyse/--no-analyse",
            help="Analyse a game of people when it has ended, unless something else is being analysed.",
        ),
    ] = True,
    offline: Annotated[
        bool,
        typer.Option(
            "--offline",
            help="Let games against bots go on in the browser while it cannot reach the server, and come back.",
        ),
    ] = False,
    think_in_browser: Annotated[
        bool,
        typer.Option(
            "--think-in-browser",
            help="Let the browsers of visitors work out analyses, how boards play, and hints; implies --no-analyse.",
        ),
    ] = False,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Log warnings and errors only.")] = False,
    log_format: Annotated[LogFormat, typer.Option(help="How lines of the log are written.")] = LogFormat.TEXT,
    log_requests: Annotated[bool, typer.Option("--log-requests", help="Log a line for each request.")] = False,
) -> None:
    """Run the web server: play in a browser with friends and bots.

    Games are kept in a SQLite file in your data folder, unless `--database` says `sqlite:///games.sqlite` or
    `postgresql://user:password@host/name`, which several servers can share.

    Options may also stand in the environment: BRANCHLINE_DATABASE, BRANCHLINE_REDIS, BRANCHLINE_SMTP,
    BRANCHLINE_SMTP_FROM, BRANCHLINE_SMTP_SECURITY, BRANCHLINE_SMTP_USER and BRANCHLINE_WEBHOOKS. The password of the
    mail server stands only there, as BRANCHLINE_SMTP_PASSWORD.
    """
    if importlib.util.find_spec("fastapi") is None or importlib.util.find_spec("uvicorn") is None:
        raise CommandError("the web server is not installed; run `pip install 'branchline[web]'`")
    from branchline.web.core.http.addresses import mail_server, public_address, public_path
    from branchline.web.core.settings import Limits, Settings
    from branchline.web.features import first_words
    from branchline.web.serving.server import run

    public, below = public_address(url, first_words) if url else "", public_path(path, f"--path {path}", first_words)
    settings = Settings(
        database=database,
        redis=redis,
        url=public,
        path=below,
        mail=mail_server(smtp, smtp_from, smtp_security.value, smtp_user, os.environ.get(PASSWORD, ""), url=url),
        webhooks=webhooks.value,
        origins=tuple(origin or ()),
        secure=secure,
        keep_days=keep_days,
        warm_up=warm_up,
        think_in_browser=think_in_browser,
        analyse_ended=analyse_ended and not think_in_browser,
        limits=Limits().times(rates),
    )
    if path and below != settings.root:
        raise CommandError(f"--path {path}: the path of --url is {settings.root or '/'}; give one of them")
    if offline or think_in_browser:
        from branchline.site.of_server import site_of_server

        settings = replace(settings, copies=offline, site=str(site_of_server(settings.root, say)))
    run(
        settings,
        host,
        port,
        workers=workers,
        proxies=proxy,
        browser=open_browser,
        quiet=quiet,
        metrics=metrics,
        log_format=log_format.value,
        log_requests=log_requests,
        say=say,
    )
