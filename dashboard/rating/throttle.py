"""Slows down those who guess tokens; whoever has a valid token does not pass here."""

from __future__ import annotations

import asyncio
import ipaddress

from cachetools import TTLCache

#: Seconds before the first wrong guess of an address is answered; each further one takes twice as long, up to the
#: maximum.
MIN_DELAY_S, MAX_DELAY_S = 0.25, 16.0
#: Seconds for which an address is remembered after a wrong guess, and addresses at most.
REMEMBERED, ADDRESSES = 900.0, 10_000
#: Wrong guesses that wait for an answer at a time, of one address and of all.
WAITING_OF_ONE, WAITING = 8, 200


class Throttle:
    """Delays the answers to wrong guesses, longer for each further guess of the same address."""

    def __init__(self) -> None:
        self._guesses: TTLCache[str, int] = TTLCache(ADDRESSES, REMEMBERED)
        self._waiting: dict[str, int] = {}

    async def wait(self, address: str) -> bool:
        """Wait as long as the answer to a wrong guess takes.

        Args:
            address: of the visitor.

        Returns:
            False, at once, if so many guesses wait that this one should be refused.
        """
        network = network_of(address)
        guesses = self._guesses.get(network, 0)
        self._guesses[network] = guesses + 1
        of_network = self._waiting.get(network, 0)
        if of_network >= WAITING_OF_ONE or sum(self._waiting.values()) >= WAITING:
            return False
        self._waiting[network] = of_network + 1
        try:
            await asyncio.sleep(min(MAX_DELAY_S, MIN_DELAY_S * 2.0 ** min(guesses, 60)))
        finally:
            self._waiting[network] -= 1
            if not self._waiting[network]:
                del self._waiting[network]
        return True


def network_of(address: str) -> str:
    """What one visitor has: an IPv4 address, also where it is written as an IPv6 one, or the /64 of an IPv6 address.

    >>> network_of("192.0.2.7"), network_of("2001:db8:1:2:3:4:5:6"), network_of("::ffff:192.0.2.7"), network_of("")
    ('192.0.2.7', '2001:db8:1:2::/64', '192.0.2.7', '')
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        return str(found.ipv4_mapped or ipaddress.ip_network((int(found), 64), strict=False))
    return str(found)
