"""What the release changes for `@cachedmethod`."""

import functools
import pickle
import threading

import cachetools
import pytest
from cachetools import cachedmethod


class Quote:
    """A callable with a `repr` that does not change between runs."""

    def __init__(self, number):
        self.number = number

    def __call__(self, owner, amount):
        return amount + self.number

    def __repr__(self):
        return f"quote no. {self.number}"


class Desk:
    """Two decorated methods; its own `repr` must not show in theirs."""

    def __init__(self):
        self.cache, self.lock = {}, threading.RLock()

    def __repr__(self):
        return "a desk"

    ask = cachedmethod(lambda self: self.cache)(Quote(12))
    bid = cachedmethod(lambda self: self.cache, lock=lambda self: self.lock, info=True)(Quote(35))
    hold = cachedmethod(lambda self: self.cache, condition=lambda self: self.lock)(Quote(90))


class Fixed(dict):
    """A mapping that refuses to be changed."""

    def __setitem__(self, key, value):
        raise TypeError("fixed")

    def setdefault(self, key, default=None):
        raise TypeError("fixed")

    def update(self, *args, **kwargs):
        raise TypeError("fixed")


class Shelf:
    """A custom cache: no `Cache`, no registered mapping, but with a length."""

    def __init__(self):
        self.things = {}

    def __getitem__(self, key):
        return self.things[key]

    def __setitem__(self, key, value):
        self.things[key] = value

    def __len__(self):
        return len(self.things)

    def setdefault(self, key, value):
        return self.things.setdefault(key, value)

    def clear(self):
        self.things.clear()


def test_class_method_is_refused_on_the_class():
    class Bank:
        @classmethod
        @cachedmethod(lambda cls: {})
        def interest(cls, amount):
            return amount // 20

    with pytest.raises(TypeError) as caught:
        Bank.interest(400)
    assert str(caught.value) == "Decorating class methods is not supported"


def test_class_method_is_refused_on_an_instance():
    class Bank:
        @classmethod
        @cachedmethod(lambda cls: {}, lock=lambda cls: threading.Lock())
        def interest(cls, amount):
            return amount // 20

    with pytest.raises(TypeError) as caught:
        Bank().interest(amount=400)
    assert str(caught.value) == "Decorating class methods is not supported"


def test_class_method_is_refused_with_condition_and_info():
    class Bank:
        @classmethod
        @cachedmethod(lambda cls: {}, condition=lambda cls: threading.Condition(), info=True)
        def interest(cls, amount):
            return amount // 20

    with pytest.raises(TypeError) as caught:
        Bank.interest(400)
    assert str(caught.value) == "Decorating class methods is not supported"


def test_instance_without_dict_is_refused():
    class Coin:
        __slots__ = ("cache",)

        @cachedmethod(lambda self: self.cache)
        def worth(self, n):
            return n * 25

    coin = Coin()
    coin.cache = {}
    with pytest.raises(TypeError) as caught:
        coin.worth(3)
    assert str(caught.value) == "No '__dict__' attribute on 'Coin' instance to cache 'worth'"
    assert coin.cache == {}


def test_instance_without_dict_is_refused_with_lock():
    class Token:
        __slots__ = ("cache",)

        @cachedmethod(lambda self: self.cache, lock=lambda self: threading.Lock())
        def spend(self, n):
            return n * 25

    token = Token()
    token.cache = {}
    with pytest.raises(TypeError) as caught:
        Token.spend(token, 3)
    assert str(caught.value) == "No '__dict__' attribute on 'Token' instance to cache 'spend'"


def test_instance_without_dict_is_refused_through_super():
    class Coin:
        __slots__ = ("cache",)
        guard = threading.Condition()

        @cachedmethod(lambda self: self.cache, condition=lambda self: self.guard)
        def worth(self, n):
            return n * 25

    class Medal(Coin):
        __slots__ = ()

        def worth(self, n):
            return super().worth(n) + 1

    medal = Medal()
    medal.cache = {}
    with pytest.raises(TypeError) as caught:
        medal.worth(3)
    assert str(caught.value) == "No '__dict__' attribute on 'Medal' instance to cache 'worth'"


def test_fixed_dict_is_refused():
    class Statue:
        __slots__ = ("cache",)

        @property
        def __dict__(self):
            return Fixed()

        @cachedmethod(lambda self: self.cache)
        def height(self, n):
            return n * 6

    statue = Statue()
    statue.cache = {}
    with pytest.raises(TypeError) as caught:
        statue.height(2)
    assert str(caught.value) == (
        "The '__dict__' attribute on 'Statue' instance does not support item assignment for caching 'height'"
    )


def test_late_assignment_is_refused():
    class Tower:
        cache = {}

    Tower.bell = cachedmethod(lambda self: self.cache)(lambda self, n: n + 2)
    with pytest.raises(TypeError) as caught:
        Tower().bell(5)
    assert str(caught.value) == "Cannot use descriptor instance without calling __set_name__ on it"


def test_late_assignment_is_refused_with_info():
    class Tower:
        cache = {}

    Tower.bell = cachedmethod(lambda self: self.cache, info=True)(lambda self, n: n + 2)
    with pytest.raises(TypeError) as caught:
        Tower().bell(5)
    assert str(caught.value) == "Cannot use descriptor instance without calling __set_name__ on it"


def test_late_assignment_is_refused_on_the_class():
    class Tower:
        cache = {}

    Tower.bell = cachedmethod(lambda self: self.cache, lock=lambda self: threading.Lock())(lambda self, n: n)
    with pytest.raises(TypeError) as caught:
        Tower.bell
    assert str(caught.value) == "Cannot use descriptor instance without calling __set_name__ on it"


def test_late_assignment_with_a_name_works():
    class Tower:
        cache = cachetools.LRUCache(maxsize=31)

    late = cachedmethod(lambda self: self.cache, info=True)(lambda self, n: n + 2)
    Tower.bell = late
    late.__set_name__(Tower, "bell")
    tower = Tower()
    tower.bell(5)
    assert isinstance(tower.bell.cache_info(), cachetools.CacheInfo)
    assert tower.bell(5) + tower.bell.cache_info().maxsize == 38


def test_second_name_is_refused():
    with pytest.raises(TypeError) as caught:

        class Pier:
            @cachedmethod(lambda self: {})
            def north(self, n):
                return n

            south = north

    assert str(caught.value) == (
        "Cannot assign the same descriptor to two different names ('north' and 'south')."
    )


def test_repr_of_a_bound_method():
    desk = Desk()
    shown = repr(desk.ask).replace(object.__repr__(desk), "DESK")
    assert shown == "<cachedmethod quote no. 12 of DESK>"


def test_repr_of_a_bound_method_with_lock_and_info():
    desk = Desk()
    assert desk.bid(700) == 735
    shown = repr(desk.bid).replace(object.__repr__(desk), "instance")
    assert shown == "<cachedmethod quote no. 35 of instance>"


def test_repr_of_a_bound_method_with_condition():
    desk = Desk()
    shown = repr([desk.hold]).replace(object.__repr__(desk), "X")
    assert shown == "[<cachedmethod quote no. 90 of X>]"


def test_repr_on_the_class():
    assert f"{Desk.ask}; {Desk.bid}" == "<cachedmethod quote no. 12>; <cachedmethod quote no. 35>"


def test_repr_through_a_subclass():
    class Counter(Desk):
        hold = functools.cached_property(lambda self: "held")

    assert repr(Counter.ask) == "<cachedmethod quote no. 12>"


def test_custom_cache_is_measured():
    class Plot:
        def __init__(self):
            self.shelf = Shelf()

        @cachedmethod(lambda self: self.shelf, info=True)
        def corner(self, x, y):
            return x * 100 + y

    plot = Plot()
    corners = [plot.corner(2, 7), plot.corner(2, y=7), plot.corner(2, 7)]
    assert corners == [207, 207, 207]
    assert tuple(plot.corner.cache_info()) == (1, 2, None, 2)


def test_custom_cache_is_measured_under_a_lock():
    class Plot:
        def __init__(self):
            self.shelf, self.lock = Shelf(), threading.Lock()

        @cachedmethod(lambda self: self.shelf, lock=lambda self: self.lock, info=True)
        def edge(self, n):
            return n * 3

    plot, other = Plot(), Plot()
    for n in (5, 6, 7, 7, 7):
        plot.edge(n)
    assert tuple(plot.edge.cache_info()) == (2, 3, None, 3)
    assert tuple(other.edge.cache_info()) == (0, 0, None, 0)


def test_methods_return_cache_info():
    class Plot:
        def __init__(self):
            self.cache, self.guard = cachetools.LFUCache(maxsize=21), threading.Condition()

        @cachedmethod(lambda self: self.cache, condition=lambda self: self.guard, info=True)
        def edge(self, n):
            return n * 3

    plot = Plot()
    plot.edge(8)
    restored = pickle.loads(pickle.dumps(plot.edge.cache_info()))
    assert isinstance(restored, cachetools.CacheInfo)
    assert repr(restored) == "CacheInfo(hits=0, misses=1, maxsize=21, currsize=1)"
