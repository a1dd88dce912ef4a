"""Behaviour of `@cachedmethod` that the release must not change."""

import copy
import functools
import inspect
import pickle
import threading
import unittest.mock

import cachetools
import cachetools.keys
import pytest
from cachetools import cachedmethod


class Gate:
    """A lock and condition that counts entries and notifications; nobody ever waits."""

    def __init__(self):
        self.entered = self.notified = 0

    def __enter__(self):
        self.entered += 1

    def __exit__(self, *exc_info):
        pass

    def wait(self):
        raise AssertionError("waits although nobody else computes")

    def notify_all(self):
        self.notified += 1


class Shop:
    """A shop with a price list."""

    def __init__(self, markup, maxsize=4):
        self.markup = markup
        self.cache = cachetools.LRUCache(maxsize=maxsize)
        self.asked = 0

    @cachedmethod(lambda self: self.cache)
    def price(self, cost, pieces=1):
        """What a customer pays."""
        self.asked += 1
        return (cost + self.markup) * pieces

    @cachedmethod(lambda self: self.cache, info=True)
    def weight(self, grams):
        return grams + 15


class Outlet(Shop):
    @cachedmethod(lambda self: self.cache, key=functools.partial(cachetools.keys.hashkey, "outlet"))
    def price(self, cost):
        return super().price(cost) - 10


def test_instances_have_their_own_cache():
    dear, cheap = Shop(markup=50), Shop(markup=5)
    paid = [shop.price(100) for shop in (dear, cheap, dear, dear, cheap)]
    assert paid == [150, 105, 150, 150, 105]
    assert (dear.asked, len(cheap.cache)) == (1, 1)


def test_keywords_make_their_own_entry():
    shop = Shop(markup=3)
    totals = [shop.price(7, 2), shop.price(7, pieces=2), shop.price(7, pieces=4)]
    assert totals == [20, 20, 40]
    assert shop.asked == 3


def test_statistics_per_instance():
    left, right = Shop(markup=0), Shop(markup=0, maxsize=2)
    for grams in (10, 20, 10, 30):
        left.weight(grams)
        right.weight(grams)
    right.weight(20)
    assert tuple(left.weight.cache_info()) == (1, 3, 4, 3)
    assert tuple(right.weight.cache_info()) == (1, 4, 2, 2)


def test_statistics_of_a_dict():
    class Table:
        def __init__(self):
            self.rows = {"unrelated": 0}

        @cachedmethod(lambda self: self.rows, info=True)
        def row(self, n):
            return [n, n * 11]

    table = Table()
    assert table.row(6) + table.row(6) == [6, 66, 6, 66]
    assert table.row.cache_info() == (1, 1, None, 2)


def test_attributes_of_the_bound_method():
    shop = Shop(markup=2)
    assert shop.price.cache is shop.cache
    assert shop.price.cache_lock is None
    assert shop.price.cache_condition is None
    assert shop.price.cache_key(88, pieces=3)[0] == 88
    assert shop.price(88, pieces=3) == 270


def test_statistics_only_when_asked_for():
    shop = Shop(markup=1)
    has_info = {name: hasattr(getattr(shop, name), "cache_info") for name in ("price", "weight")}
    assert " ".join(f"{name}={has}" for name, has in has_info.items()) == "price=False weight=True"


def test_lock_of_each_instance():
    class Meter:
        def __init__(self):
            self.cache, self.gate = {}, Gate()

        @cachedmethod(lambda self: self.cache, lock=lambda self: self.gate, info=True)
        def read(self, n):
            return n * 13

    busy, idle = Meter(), Meter()
    read = [busy.read(n) for n in (2, 3, 2)]
    busy.read.cache_info()
    assert read == [26, 39, 26]
    assert (busy.gate.entered, idle.gate.entered) == (6, 0)
    assert busy.read.cache_lock is busy.gate


def test_lock_keeps_first_stored_value():
    class Meter:
        def __init__(self):
            self.cache = {}

        @cachedmethod(lambda self: self.cache, lock=lambda self: Gate())
        def read(self, n):
            self.cache[cachetools.keys.methodkey(self, n)] = n + 100
            return n + 200

    assert Meter().read(23) == 123


def test_condition_of_each_instance():
    class Meter:
        def __init__(self):
            self.cache, self.gate = {}, Gate()

        @cachedmethod(lambda self: self.cache, condition=lambda self: self.gate)
        def read(self, n):
            return 1000 // n

    meter = Meter()
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            meter.read(0)
    meter.read(8)
    assert meter.read(8) == 125
    assert (meter.gate.entered, meter.gate.notified) == (8, 3)


def test_condition_with_separate_lock():
    class Meter:
        def __init__(self):
            self.cache, self.lock, self.gate = {}, Gate(), Gate()

        @cachedmethod(
            lambda self: self.cache,
            lock=lambda self: self.lock,
            condition=lambda self: self.gate,
            info=True,
        )
        def read(self, n):
            return f"{n:04d}"

    meter = Meter()
    assert meter.read(37) + meter.read(37) == "00370037"
    assert (meter.lock.entered, meter.gate.entered, meter.gate.notified) == (4, 0, 1)


def test_condition_computes_once_for_many_threads():
    class Meter:
        def __init__(self):
            self.cache, self.gate, self.calls = {}, threading.Condition(), 0

        @cachedmethod(lambda self: self.cache, condition=lambda self: self.gate, info=True)
        def read(self, n):
            self.calls += 1
            return n

    meter, start = Meter(), threading.Barrier(4)

    def work():
        start.wait()
        meter.read(77)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert meter.calls == 1
    assert meter.read.cache_info() == (3, 1, None, 1)


def test_clear_is_per_instance():
    first, second = Shop(markup=6), Shop(markup=6)
    for shop in (first, second):
        shop.weight(40)
    first.weight.cache_clear()
    assert (first.weight.cache_info()[1], len(second.cache), len(first.cache)) == (0, 1, 0)
    assert first.weight(41) == 56


def test_override_that_calls_super():
    outlet = Outlet(markup=30)
    paid = [outlet.price(100), outlet.price(100), outlet.price(55)]
    assert paid == [120, 120, 75]
    assert (outlet.asked, len(outlet.cache)) == (2, 4)


def test_super_keeps_its_own_statistics():
    class Scale(Shop):
        @cachedmethod(lambda self: self.extra, info=True)
        def weight(self, grams):
            return super().weight(grams // 10) * 2

        def base_info(self):
            return super().weight.cache_info()

    scale = Scale(markup=0)
    scale.extra = {}
    weights = [scale.weight(grams) for grams in (90, 91, 90)]
    assert weights == [48, 48, 48]
    assert scale.weight.cache_info() == (1, 2, None, 2)
    assert scale.base_info() == (1, 1, 4, 1)


def test_call_through_the_class():
    shop = Shop(markup=4)
    paid = Shop.price(shop, 60), Shop.price(shop, 60), Shop.price(pieces=2, cost=1, self=shop)
    assert paid == (64, 64, 10)
    assert shop.asked == 2


def test_call_through_the_class_without_instance():
    with pytest.raises(TypeError) as caught:
        Shop.price(cost=12)
    assert str(caught.value) == "Cannot call @cachedmethod through the class without an instance"


def test_class_access_is_one_object():
    assert Shop.price is Shop.price
    assert Outlet.weight is Shop.weight
    assert len({Shop.price, Shop.weight, Outlet.price, Outlet.weight}) == 3


def test_metadata():
    shop = Shop(markup=9)
    assert (Shop.price.__name__, shop.price.__doc__) == ("price", "What a customer pays.")
    assert str(inspect.signature(shop.weight.__wrapped__)) == "(self, grams)"


def test_alias_in_another_class():
    class Kiosk(Shop):
        ask = Shop.price

    kiosk = Kiosk(markup=70)
    assert (kiosk.ask(5), kiosk.price(5), kiosk.asked) == (75, 75, 1)


def test_method_of_an_unhashable_instance():
    class Basket:
        def __init__(self, *fruit):
            self.fruit, self.cache = fruit, {}

        def __eq__(self, other):
            return self.fruit == other.fruit

        @cachedmethod(lambda self: self.cache, info=True)
        def pick(self, n):
            return self.fruit[n] * 2

    basket = Basket("fig", "kiwi")
    assert basket.pick(-1) + basket.pick(-1) == "kiwikiwikiwikiwi"
    assert basket.pick.cache_info().hits == 1


def test_shared_cache_with_own_keys():
    shared = {}

    class Word:
        def __init__(self, text):
            self.text = text

        @cachedmethod(lambda self: shared, key=lambda self, n: ("head", self.text, n))
        def head(self, n):
            return self.text[:n]

        @cachedmethod(lambda self: shared, key=lambda self, n: ("tail", self.text, n))
        def tail(self, n):
            return self.text[-n:]

    parts = [Word("lantern").head(3), Word("lantern").tail(3), Word("harbour").tail(4)]
    assert parts == ["lan", "ern", "bour"]
    assert len(shared) == 3


def test_pickled_instance_starts_statistics_over():
    shop = Shop(markup=8)
    shop.weight(5)
    shop.weight(5)
    twin = pickle.loads(pickle.dumps(shop))
    assert twin.weight.cache_info() == (0, 0, 4, 1)
    assert twin.weight(5) + twin.markup == 28
    assert twin.weight.cache is twin.cache


def test_deep_copy_has_its_own_cache():
    outlet = Outlet(markup=1)
    outlet.price(9)
    twin = copy.deepcopy(outlet)
    twin.markup = 500
    paid = [twin.price(9), twin.price(19), outlet.price(19)]
    assert paid == [0, 509, 10]
    assert (len(twin.cache), len(outlet.cache)) == (4, 4)


def test_class_access_pickles_by_name():
    assert pickle.loads(pickle.dumps(Shop.weight)) is Shop.weight
    assert pickle.loads(pickle.dumps(Shop.weight))(Shop(0), 47) == 62


def test_keyword_named_like_the_internals():
    class Form:
        def __init__(self):
            self.cache = {}

        @cachedmethod(lambda form: form.cache, condition=lambda form: Gate())
        def fill(this, *, self, pending, key=0):
            return f"{self}/{pending}/{key}"

    form = Form()
    assert [form.fill(self=4, pending=2), form.fill(pending=2, self=4, key=6)] == ["4/2/0", "4/2/6"]
    assert len(form.cache) == 2


def test_autospec_instance():
    shop = unittest.mock.create_autospec(Shop, instance=True)
    shop.price.return_value = 950
    assert shop.price(12, pieces=3) // 10 == 95


def test_result_too_large_is_returned_not_stored():
    class Press:
        def __init__(self):
            self.cache = cachetools.LFUCache(maxsize=6, getsizeof=len)

        @cachedmethod(lambda self: self.cache, info=True)
        def stamp(self, n):
            return "ab" * n

    press = Press()
    lengths = [len(press.stamp(n)) for n in (2, 5, 5, 1)]
    assert lengths == [4, 10, 10, 2]
    assert press.stamp.cache_info() == (0, 4, 6, 6)


def test_statistics_need_an_instance_dict():
    class Slim:
        __slots__ = ("cache",)

        @cachedmethod(lambda self: self.cache, info=True)
        def tally(self, n):
            return n

    slim = Slim()
    slim.cache = {}
    with pytest.raises(TypeError) as caught:
        slim.tally(1)
    assert str(caught.value) == "No '__dict__' attribute on 'Slim' instance to cache 'tally'"


def test_still_callable_after_the_class_drops_it():
    class Post:
        def __init__(self):
            self.cache = {}

        @cachedmethod(lambda self: self.cache, info=True)
        def letter(self, n):
            return chr(n)

    letter, post = Post.letter, Post()
    del Post.letter
    assert letter(post, 81) + letter(post, 81) + letter(post, 90) == "QQZ"
    assert len(post.cache) == 2
