# Makes the Python toolchain image out of the base; run as root with the network, under `sh -eu`.
echo '::step:: debian packages'
apt-get update -qq
grep -v '^#' packages.txt | xargs apt-get install -y -qq --no-install-recommends
apt-get clean
rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin /var/log/apt /var/log/dpkg.log
echo '::step:: pytest'
python3 -m venv /opt/venv
/opt/venv/bin/python -m pip install --quiet --no-cache-dir --no-deps --require-hashes -r requirements.txt
echo '::step:: manifest'
mkdir -p /opt/assay
{
    dpkg-query -W -f 'package ${Package} ${Version}\n'
    /opt/venv/bin/python -m pip freeze | sed 's/^/python-package /'
    echo "toolchain python $(/opt/venv/bin/python -c 'import platform; print(platform.python_version())')"
    echo "toolchain pytest $(/opt/venv/bin/python -c 'import pytest; print(pytest.__version__)')"
} > /opt/assay/manifest.txt
