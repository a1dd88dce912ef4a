"""What the release changes for `@cached`, `CacheInfo` and the keys."""

import collections.abc
import inspect
import pickle
import threading

import cachetools
import cachetools.func
import cachetools.keys
import pytest


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


class Pit:
    """A custom cache without a length."""

    def __init__(self):
        self.things = {}

    def __getitem__(self, key):
        return self.things[key]

    def __setitem__(self, key, value):
        self.things[key] = value


class Tariff:
    """A callable with a `repr` that does not change between runs."""

    def __init__(self, rate):
        self.rate = rate

    def __call__(self, amount):
        return amount * self.rate

    def __repr__(self):
        return f"Tariff(rate={self.rate})"


def test_no_cache_is_refused_at_once():
    with pytest.raises(TypeError) as caught:
        cachetools.cached(None)
    assert str(caught.value) == "cache must not be None"


def test_no_cache_is_refused_with_info():
    with pytest.raises(TypeError) as caught:
        cachetools.cached(cache=None, info=True)
    assert str(caught.value) == "cache must not be None"


def test_no_cache_is_refused_with_lock_and_condition():
    with pytest.raises(TypeError) as caught:
        cachetools.cached(None, lock=threading.Lock(), condition=threading.Condition())
    assert str(caught.value) == "cache must not be None"


def test_cache_info_is_public():
    assert "CacheInfo" in cachetools.__all__
    info = cachetools.CacheInfo(hits=31, misses=9, maxsize=64, currsize=8)
    assert "/".join(f"{name}{value}" for name, value in info._asdict().items()) == (
        "hits31/misses9/maxsize64/currsize8"
    )


def test_cache_info_has_one_name():
    classes = [name for name, value in vars(cachetools).items() if isinstance(value, type)]
    named = [name for name in classes if name.lower().endswith("info")]
    assert named == ["CacheInfo"]
    assert not hasattr(cachetools, "_CacheInfo")


def test_cache_info_is_a_tuple():
    info = cachetools.CacheInfo(6, 2, None, 5)
    assert isinstance(info, tuple)
    assert (info.hits * 10 + info.misses, info[3]) == (62, 5)
    assert info._replace(misses=18).misses - info.hits == 12


def test_cached_returns_cache_info():
    @cachetools.cached(cachetools.LRUCache(maxsize=12), info=True)
    def root(n):
        return int(n**0.5)

    for n in (400, 401, 400):
        root(n)
    assert isinstance(root.cache_info(), cachetools.CacheInfo)
    assert repr(root.cache_info()) == "CacheInfo(hits=1, misses=2, maxsize=12, currsize=2)"


def test_func_decorators_return_cache_info():
    @cachetools.func.ttl_cache(maxsize=15, ttl=60, timer=lambda: 0)
    def root(n):
        return int(n**0.5)

    for n in (25, 36, 49, 36):
        root(n)
    assert isinstance(root.cache_info(), cachetools.CacheInfo)
    assert root.cache_info() == (1, 3, 15, 3)


def test_cache_info_can_be_pickled():
    @cachetools.cached({}, info=True)
    def tenfold(n):
        return n * 10

    for n in (1, 2, 2, 2, 2, 3):
        tenfold(n)
    restored = pickle.loads(pickle.dumps(tenfold.cache_info()))
    assert restored._asdict() == {"hits": 3, "misses": 3, "maxsize": None, "currsize": 3}


def test_custom_cache_is_measured():
    shelf = Shelf()

    @cachetools.cached(shelf, info=True)
    def last_digit(n):
        return n % 10

    for n in (47, 38, 47, 29, 29, 47):
        last_digit(n)
    assert not isinstance(shelf, collections.abc.Mapping)
    assert last_digit.cache_info() == (3, 3, None, 3)


def test_custom_cache_is_measured_under_a_lock():
    @cachetools.cached(Shelf(), lock=threading.Lock(), info=True)
    def last_digit(n):
        return n % 10

    for n in (51, 62, 62):
        last_digit(n)
    last_digit.cache_clear()
    last_digit(73)
    assert tuple(last_digit.cache_info()) == (0, 1, None, 1)


def test_custom_cache_is_measured_with_a_condition():
    @cachetools.cached(Shelf(), condition=threading.Condition(), info=True)
    def last_digit(n):
        return n % 10

    for n in (11, 22, 33, 44, 11, 22):
        last_digit(n)
    assert tuple(last_digit.cache_info()) == (2, 4, None, 4)


def test_custom_cache_without_length():
    pit = Pit()

    @cachetools.cached(pit, info=True)
    def thirds(n):
        return n // 3

    results = [thirds(n) for n in (27, 48, 27)]
    with pytest.raises(TypeError):
        thirds.cache_info()
    assert results == [9, 16, 9]
    assert list(pit.things.values()) == [9, 16]


def test_wrapper_is_not_a_function():
    wrapper = cachetools.cached({})(lambda n: n * 4)
    assert callable(wrapper)
    assert not inspect.isfunction(wrapper)
    assert wrapper(19) == 76


def test_wrapper_of_the_func_module_is_not_a_function():
    @cachetools.func.lru_cache(maxsize=2)
    def negative(n):
        return -n

    assert callable(negative)
    assert not inspect.isfunction(negative)
    assert [negative(n) for n in (8, 5, 8)] == [-8, -5, -8]


def test_repr_of_a_wrapper():
    wrapper = cachetools.cached({})(Tariff(3))
    assert wrapper(50) == 150
    assert repr(wrapper) == "<cached Tariff(rate=3)>"


def test_repr_of_a_wrapper_with_lock_and_info():
    wrapper = cachetools.cached(cachetools.RRCache(maxsize=2), lock=threading.Lock(), info=True)(Tariff(28))
    assert repr(wrapper) == "<cached Tariff(rate=28)>"


def test_repr_of_a_wrapper_with_condition():
    wrapper = cachetools.cached({}, condition=threading.Condition())(Tariff(7))
    assert f"{wrapper}, {Tariff(6)}" == "<cached Tariff(rate=7)>, Tariff(rate=6)"


def test_repr_of_stacked_wrappers():
    wrapper = cachetools.func.lfu_cache(maxsize=5)(cachetools.cached({})(Tariff(11)))
    assert repr(wrapper) == "<cached <cached Tariff(rate=11)>>"


def test_public_attributes_without_info():
    wrapper = cachetools.cached({})(Tariff(2))
    public = sorted(name for name in dir(wrapper) if name.startswith("cache"))
    assert public == ["cache", "cache_clear", "cache_condition", "cache_key", "cache_lock"]


def test_no_statistics_without_info():
    wrappers = [
        cachetools.cached({})(Tariff(4)),
        cachetools.cached({}, lock=threading.Lock())(Tariff(5)),
        cachetools.cached({}, condition=threading.Condition())(Tariff(6)),
        cachetools.cached({}, info=True)(Tariff(8)),
    ]
    rates = [wrapper.__wrapped__.rate for wrapper in wrappers if not hasattr(wrapper, "cache_info")]
    assert rates == [4, 5, 6]


def test_no_statistics_of_the_stacked_wrapper():
    inner = cachetools.cached({}, info=True)(Tariff(9))
    outer = cachetools.cached({})(inner)
    outer(30)
    assert not hasattr(outer, "cache_info")
    assert outer(30) + inner.cache_info().misses == 271


def test_keys_are_plain_tuples():
    made = [
        cachetools.keys.hashkey(1, 2),
        cachetools.keys.methodkey(None, 1, x=2),
        cachetools.keys.typedkey(1, x=2),
        cachetools.keys.typedmethodkey(None, 1),
    ]
    assert [type(key).__qualname__ for key in made] == ["tuple", "tuple", "tuple", "tuple"]


def test_stored_keys_are_plain_tuples():
    cache = {}

    @cachetools.cached(cache, key=cachetools.keys.typedkey)
    def join(*words):
        return "+".join(words)

    join("a", "b")
    join()
    assert [type(key) is tuple for key in cache] == [True, True]
    assert sorted(cache.values()) == ["", "a+b"]


def test_version():
    assert cachetools.__version__ == "8.0.0"
