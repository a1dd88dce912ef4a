from arithmetic import double


def test_double():
    assert double(21) == 42
