"""Source archives from the package registry that pip is set to.

pip itself runs a package's build code even to download it, so the archive is found and fetched by unearth.
"""

from __future__ import annotations

from pathlib import Path
from typing import cast

import httpx2
from unearth import Link, PackageFinder, UnpackError
from unearth.fetchers import Fetcher, PyPIClient

from runner.errors import SourceUnavailable
from runner.source.pip_settings import PipSettings, read_pip_settings
from runner.task import RegistrySource

_TIMEOUT_SECONDS = 60.0


def download(source: RegistrySource, scratch: Path) -> Path:
    """The source archive, in `scratch` or where pip finds links. Raises SourceUnavailable."""
    settings = read_pip_settings()
    trusted = settings.trusted_hosts
    with PyPIClient(trusted_hosts=trusted, verify=settings.tls(), timeout=_TIMEOUT_SECONDS) as session:
        try:
            finder = _finder(source, settings, cast(Fetcher, session))
            return _fetch(source, finder, scratch)
        except (httpx2.HTTPError, OSError, ValueError) as error:
            raise SourceUnavailable(
                f"the registry did not give {source.package} {source.version}: {error}; "
                "check the network and pip's settings, and try again"
            ) from error


def _finder(source: RegistrySource, settings: PipSettings, session: Fetcher) -> PackageFinder:
    """Looks where pip would; without a setting, at unearth's own default."""
    places = settings.find_links
    if settings.no_index and not places:
        raise SourceUnavailable(
            f"pip is set to use no index, so {source.package} cannot be had; set `find-links`"
        )
    finder = PackageFinder(
        session=session,
        index_urls=[settings.index_url] if settings.index_url and not settings.no_index else [],
        find_links=places if settings.no_index else [],
        no_binary=[source.package],
        ignore_compatibility=True,
    )
    if not settings.no_index:
        for url in settings.extra_index_urls:
            finder.add_index_url(url)
        for place in places:
            finder.add_find_links(place)
    return finder


def _fetch(source: RegistrySource, finder: PackageFinder, scratch: Path) -> Path:
    wanted = f"{source.package}=={source.version}"
    found = finder.find_matches(wanted, allow_yanked=True, allow_prereleases=True)
    links = [package.link for package in found if package.link is not None and not package.link.is_wheel]
    refusals = []
    for link in sorted(links, key=lambda link: source.sha256 not in _digests(link)):
        try:
            return finder.download(link, scratch, hashes={"sha256": [source.sha256]})
        except UnpackError as error:
            refusals.append(f"{link.filename}: {' '.join(str(error).split())}")
    if refusals:
        raise SourceUnavailable(
            f"no source archive of {wanted} has the SHA-256 that the task pins ({'; '.join(refusals)}); "
            "correct the pin, or find out who changed the archive"
        )
    raise SourceUnavailable(
        f"no source archive of {wanted} was found; check the name and the version, and that pip reaches "
        f"its registry: `pip index versions {source.package}`"
    )


def _digests(link: Link) -> list[str]:
    return [*(link.hashes or {}).values()]
