"""Behaviour of `@cached`, `cachetools.func` and the keys that the release must not change."""

import copy
import functools
import inspect
import pickle
import threading
import unittest.mock

import cachetools
import cachetools.func
import cachetools.keys
import pytest


class CountingLock:
    """A lock that counts how often it is entered."""

    def __init__(self):
        self.entered = 0

    def __enter__(self):
        self.entered += 1

    def __exit__(self, *exc_info):
        pass


class CountingCondition(CountingLock):
    """A condition that counts entries and notifications; nobody ever waits."""

    def __init__(self):
        super().__init__()
        self.notified = 0

    def wait(self):
        raise AssertionError("waits although nobody else computes")

    def notify_all(self):
        self.notified += 1


@cachetools.cached(cachetools.LRUCache(maxsize=6), info=True)
def fare(zones, *, night=False):
    """Price of a ticket."""
    return 170 + 85 * zones + (40 if night else 0)


class Counter:
    @staticmethod
    @cachetools.cached({})
    def parity(number):
        return "odd" if number % 2 else "even"


def test_lru_statistics():
    @cachetools.cached(cachetools.LRUCache(maxsize=3), info=True)
    def cube(n):
        return n**3

    for n in (1, 2, 3, 1, 4, 2, 1):
        cube(n)
    assert tuple(cube.cache_info()) == (2, 5, 3, 3)


def test_lfu_evicts_least_used():
    calls = []

    @cachetools.cached(cachetools.LFUCache(maxsize=2))
    def spell(n):
        calls.append(n)
        return "x" * n

    for n in (5, 5, 8, 6, 5, 8):
        spell(n)
    assert calls == [5, 8, 6, 8]


def test_dict_statistics():
    @cachetools.cached({}, info=True)
    def half(n):
        return n // 2

    results = [half(n) for n in (20, 31, 20, 20, 44)]
    assert results == [10, 15, 10, 10, 22]
    assert half.cache_info() == (2, 3, None, 3)


def test_result_too_large_is_returned_not_stored():
    cache = cachetools.LRUCache(maxsize=10, getsizeof=len)

    @cachetools.cached(cache, info=True)
    def dashes(n):
        return "-" * n

    lengths = [len(dashes(n)) for n in (4, 13, 5, 13)]
    assert (sum(lengths), cache.currsize) == (35, 9)
    assert dashes.cache_info() == (0, 4, 10, 9)


def test_result_too_large_under_a_lock_or_condition():
    returned = []
    for guard in ({"lock": CountingLock()}, {"condition": CountingCondition()}):
        cache = cachetools.LRUCache(maxsize=8, getsizeof=len)

        @cachetools.cached(cache, **guard)
        def stars(n):
            return "*" * n

        returned.append([len(stars(n)) for n in (11, 3, 11)] + [cache.currsize])
    assert returned == [[11, 3, 11, 3], [11, 3, 11, 3]]


def test_lock_is_entered_as_before():
    lock = CountingLock()

    @cachetools.cached({}, lock=lock, info=True)
    def negate(n):
        return -n

    for n in (3, 4, 3, 3):
        negate(n)
    negate.cache_info()
    negate.cache_clear()
    assert lock.entered == 8


def test_lock_keeps_first_stored_value():
    cache = {}

    @cachetools.cached(cache, lock=CountingLock())
    def slow(n):
        cache[cachetools.keys.hashkey(n)] = n * 7  # another thread was faster
        return n * 9

    assert slow(6) == 42


def test_without_lock_last_value_wins():
    cache = {}

    @cachetools.cached(cache)
    def slow(n):
        cache[cachetools.keys.hashkey(n)] = n * 7
        return n * 9

    slow(6)
    assert slow(6) == 54


def test_condition_is_entered_and_notified_as_before():
    condition = CountingCondition()

    @cachetools.cached({}, condition=condition)
    def shout(word):
        return word.upper() + "!"

    said = [shout(word) for word in ("hey", "ho", "hey")]
    assert said == ["HEY!", "HO!", "HEY!"]
    assert (condition.entered, condition.notified) == (7, 2)


def test_condition_with_separate_lock():
    lock, condition = CountingLock(), CountingCondition()

    @cachetools.cached({}, lock=lock, condition=condition, info=True)
    def triple(n):
        return n * 3

    total = sum(triple(n) for n in (2, 9, 2))
    assert total == 39
    assert (lock.entered, condition.entered, condition.notified) == (7, 0, 2)
    assert triple.cache_lock is lock
    assert triple.cache_condition is condition


def test_condition_is_released_after_an_error():
    condition = CountingCondition()

    @cachetools.cached({}, condition=condition, info=True)
    def ratio(n):
        return 100 // n

    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            ratio(0)
    assert condition.notified == 2
    assert ratio.cache_info() == (0, 2, None, 0)


def test_condition_computes_once_for_many_threads():
    calls = []
    start = threading.Barrier(5)

    @cachetools.cached({}, condition=threading.Condition(), info=True)
    def square(n):
        calls.append(n)
        return n * n

    def work():
        start.wait()
        square(14)

    threads = [threading.Thread(target=work) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(calls) == 1
    assert square.cache_info() == (4, 1, None, 1)


def test_clear_restarts_statistics():
    @cachetools.cached(cachetools.FIFOCache(maxsize=5), info=True)
    def add(a, b):
        return a + b

    add(1, 2)
    add(1, 2)
    add.cache_clear()
    add(30, 4)
    add(30, 5)
    add(30, 4)
    assert tuple(add.cache_info()) == (1, 2, 5, 2)


def test_clear_under_a_lock_or_condition():
    counted = []
    for guard in ({"lock": CountingLock()}, {"condition": CountingCondition()}):
        for info in (False, True):
            cache = cachetools.FIFOCache(maxsize=6)

            @cachetools.cached(cache, info=info, **guard)
            def less(a, b):
                return a - b

            sizes = [len(cache) for pair in ((9, 4), (9, 3), (9, 4)) if less(*pair)]
            less.cache_clear()
            less(8, 1)
            counted.append((*sizes, len(cache), *(less.cache_info() if info else ())))
    assert counted == [(1, 2, 2, 1), (1, 2, 2, 1, 0, 1, 6, 1), (1, 2, 2, 1), (1, 2, 2, 1, 0, 1, 6, 1)]


def test_metadata_of_the_function():
    assert (fare.__name__, fare.__doc__) == ("fare", "Price of a ticket.")
    assert fare.__wrapped__(2, night=True) == 380


def test_own_attributes_of_the_function_are_kept():
    def tax(amount):
        return amount * 19 // 100

    tax.rates = {"books": 7, "rest": 19}
    cached_tax = cachetools.cached({})(tax)
    assert cached_tax(600) + cached_tax.rates["books"] == 121


def test_signature():
    assert str(inspect.signature(fare)) == "(zones, *, night=False)"


def test_binds_as_a_method():
    class Room:
        def __init__(self, width):
            self.width = width

        @cachetools.cached({}, key=lambda self, depth: (self.width, depth))
        def area(self, depth):
            return self.width * depth

    small, large = Room(4), Room(9)
    assert [small.area(7), large.area(7), small.area(11)] == [28, 63, 44]
    assert len(Room.area.cache) == 3


def test_class_access_of_a_function_in_a_class():
    class Room:
        @cachetools.cached({}, key=lambda self, depth: depth)
        def volume(self, depth):
            return depth**2 * 5

    assert Room.volume(Room(), 8) == 320
    assert Room.volume.cache_key(None, 17) == 17


def test_static_method():
    words = [Counter.parity(n) for n in (3, 8)] + [Counter().parity(5)]
    assert "+".join(words) == "odd+even+odd"


def test_class_method_over_cached():
    class Planet:
        moons = 4

        @classmethod
        @cachetools.cached({}, key=lambda cls, factor: (cls.__name__, factor))
        def tide(cls, factor):
            return cls.moons * factor

    class Giant(Planet):
        moons = 60

    assert (Planet.tide(6), Giant.tide(6), Planet.tide(7)) == (24, 360, 28)


def test_copies_are_the_same_wrapper():
    @cachetools.cached(cachetools.LRUCache(maxsize=8), info=True)
    def digits(n):
        return len(str(n))

    twins = [copy.copy(digits), copy.deepcopy(digits), digits]
    assert [twin(12345) for twin in twins] == [5, 5, 5]
    assert twins[1].cache_info() == (2, 1, 8, 1)


def test_pickles_by_name():
    assert pickle.loads(pickle.dumps(fare)) is fare
    assert pickle.loads(pickle.dumps(Counter.parity)) is Counter.parity
    assert pickle.loads(pickle.dumps(fare))(3) == 425


def test_keyword_named_self():
    cache = {}

    @cachetools.cached(cache)
    def collect(**options):
        return sorted(options)

    collect(self=1, cache=2)
    collect(cache=2, self=1)
    assert collect(self=1, func=3, key=4) == ["func", "key", "self"]
    assert len(cache) == 2


def test_stacked_wrappers_keep_their_own_attributes():
    inner_cache, outer_cache = {}, cachetools.LRUCache(maxsize=9)

    @cachetools.cached(outer_cache, key=cachetools.keys.typedkey)
    @cachetools.cached(inner_cache, lock=threading.Lock())
    def double(n):
        return n * 2

    results = [double(n) for n in (21, 21.0, 33)]
    assert results == [42, 42.0, 66]
    assert (len(inner_cache), len(outer_cache)) == (2, 3)
    assert double.cache is outer_cache
    assert double.__wrapped__.cache is inner_cache
    assert double.cache_lock is None


def test_stacked_wrappers_count_apart():
    @cachetools.cached(cachetools.LRUCache(maxsize=1), info=True)
    @cachetools.cached(cachetools.LRUCache(maxsize=16), info=True)
    def step(n):
        return n + 1

    for n in (1, 2, 1, 1, 2):
        step(n)
    assert step.cache_info() == (1, 4, 1, 1)
    assert step.__wrapped__.cache_info() == (2, 2, 16, 2)


def test_replaced_key_function():
    cache = {}

    @cachetools.cached(cache, key=functools.partial(cachetools.keys.hashkey, "iso"))
    def code(name):
        return name[:2].lower()

    code("Norway")
    assert list(cache.items()) == [(("iso", "Norway"), "no")]


def test_recursion():
    @cachetools.cached(cachetools.LRUCache(maxsize=50), info=True)
    def stairs(n):
        return 1 if n < 2 else stairs(n - 1) + stairs(n - 2) + stairs(n - 3)

    assert stairs(19) == 85525
    assert stairs.cache_info() == (34, 21, 50, 21)


def test_autospec_of_a_cached_method():
    class Oven:
        @cachetools.cached({})
        def bake(self, minutes):
            return minutes * 2

    oven = unittest.mock.create_autospec(Oven, instance=True)
    oven.bake.return_value = 480
    assert oven.bake(minutes=25) + 1 == 481


def test_func_lru_cache_parameters():
    @cachetools.func.lru_cache(maxsize=33, typed=True)
    def same(value):
        return value

    for value in (7, 7.0, True, 7):
        same(value)
    assert same.cache_parameters() == {"maxsize": 33, "typed": True}
    assert same.cache_info() == (1, 3, 33, 3)


def test_func_bare_decorator():
    @cachetools.func.lfu_cache
    def initials(name):
        return "".join(part[0] for part in name.split())

    initials("Ada King Lovelace")
    assert initials("Ada King Lovelace") == "AKL"
    assert initials.cache_info() == (1, 1, 128, 1)


def test_func_unbounded_ttl_cache():
    now = [100]

    @cachetools.func.ttl_cache(maxsize=None, ttl=30, timer=lambda: now[0])
    def stamp(label):
        return f"{label}@{now[0]}"

    stamp("a")
    now[0] = 125
    stamp("b")
    now[0] = 140
    assert [stamp("a"), stamp("b")] == ["a@140", "b@125"]
    assert stamp.cache_info() == (1, 3, None, 2)


def test_func_rr_cache_choice():
    calls = []

    @cachetools.func.rr_cache(maxsize=2, choice=max)
    def load(n):
        calls.append(n)
        return n

    for n in (4, 9, 6, 4, 9):
        load(n)
    assert calls == [4, 9, 6, 9]


def test_func_fifo_cache_eviction():
    @cachetools.func.fifo_cache(maxsize=2)
    def label(n):
        return f"no. {n}"

    for n in (1, 2, 1, 3, 1, 3):
        label(n)
    assert label.cache_info() == (2, 4, 2, 2)


def test_keys_order_and_hash():
    first = cachetools.keys.hashkey(8, b=2, a=1)
    second = cachetools.keys.hashkey(8, a=1, b=2)
    assert (len({first, second}), len(first)) == (1, 4)
    assert [part for part in first if isinstance(part, tuple)] == [("a", 1), ("b", 2)]


def test_typed_keys_carry_types():
    key = cachetools.keys.typedkey("x", 2, size=3.5)
    assert [part.__name__ for part in key[-3:]] == ["float", "str", "int"]
    assert cachetools.keys.typedmethodkey(object(), "x", 2, size=3.5) == key


def test_method_keys_ignore_the_instance():
    plain = cachetools.keys.methodkey(object(), 5, "five")
    typed = cachetools.keys.typedmethodkey(object(), 5, "five")
    assert "|".join(str(part) for part in plain) == "5|five"
    assert len(plain + typed) == 6


def test_key_pickled_by_an_earlier_version():
    stored = (
        b"\x80\x04\x95?\x00\x00\x00\x00\x00\x00\x00\x8c\x0fcachetools.keys\x94\x8c"
        b"\x0c_HashedTuple\x94\x93\x94"
        b"K\x11h\x02\x8c\x04unit\x94\x8c\x02km\x94\x86\x94\x87\x94\x85\x94\x81\x94}\x94b."
    )
    table = {cachetools.keys.hashkey(17, unit=unit): 17 * size for unit, size in (("km", 1000), ("mi", 1609))}
    assert table[pickle.loads(stored)] == 17000


def test_negative_maxsize():
    with pytest.raises(ValueError) as caught:
        cachetools.LRUCache(maxsize=-3)
    assert str(caught.value) == "maxsize must be non-negative"


def test_repr_of_a_cache():
    cache = cachetools.LRUCache(maxsize=40, getsizeof=len)
    cache["k"] = "seven"
    assert repr(cache) == "LRUCache({'k': 'seven'}, maxsize=40, currsize=5)"
