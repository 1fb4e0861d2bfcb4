"""Delays responses to invalid tokens; requests with a valid token are not delayed."""

from __future__ import annotations

import asyncio
import ipaddress

from cachetools import TTLCache

#: Seconds before the first wrong guess of an address is answered, doubled with each further one, and the maximum.
MIN_DELAY_S, MAX_DELAY_S = 0.25, 16.0
#: Seconds for which an address is stored after a wrong guess, and the maximum number of stored addresses.
GUESS_TTL_S, MAX_ADDRESSES = 900.0, 10_000
#: Maximum number of wrong guesses that wait for an answer at a time, of one network and of all.
MAX_WAITING_PER_NETWORK, MAX_WAITING = 8, 200


class Throttle:
    """Delays the answers to wrong guesses, with each further guess of the same address for longer."""

    def __init__(self) -> None:
        self._guesses: TTLCache[str, int] = TTLCache(MAX_ADDRESSES, GUESS_TTL_S)
        self._waiting: dict[str, int] = {}

    async def wait(self, address: str) -> bool:
        """Wait before the answer to a wrong guess.

        Args:
            address: of the visitor.

        Returns:
            False, immediately, if too many guesses are waiting and this one should be refused.
        """
        network = network_of(address)
        guesses = self._guesses.get(network, 0)
        self._guesses[network] = guesses + 1
        waiting = self._waiting.get(network, 0)
        if waiting >= MAX_WAITING_PER_NETWORK or sum(self._waiting.values()) >= MAX_WAITING:
            return False
        self._waiting[network] = waiting + 1
        try:
            await asyncio.sleep(min(MAX_DELAY_S, MIN_DELAY_S * 2.0 ** min(guesses, 60)))
        finally:
            self._waiting[network] -= 1
            if not self._waiting[network]:
                del self._waiting[network]
        return True


def network_of(address: str) -> str:
    """Return the network of one visitor: an IPv4 address, even if mapped to IPv6, or the /64 of an IPv6 address.

    >>> network_of("192.0.2.7"), network_of("2001:db8:1:2:3:4:5:6"), network_of("::ffff:192.0.2.7"), network_of("")
    ('192.0.2.7', '2001:db8:1:2::/64', '192.0.2.7', '')
    """
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        return str(parsed.ipv4_mapped or ipaddress.ip_network((int(parsed), 64), strict=False))
    return str(parsed)
