# Makes the C and C++ toolchain image out of the base; run as root with the network, under `sh -eu`.
echo '::step:: debian packages'
apt-get update -qq
grep -v '^#' packages.txt | xargs apt-get install -y -qq --no-install-recommends
apt-get clean
rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin /var/log/apt /var/log/dpkg.log
echo '::step:: manifest'
mkdir -p /opt/assay
{
    dpkg-query -W -f 'package ${Package} ${Version}\n'
    echo "toolchain gcc $(gcc -dumpfullversion)"
    echo "toolchain ctest $(ctest --version | sed -n 's/^ctest version //p')"
    echo "toolchain googletest $(dpkg-query -W -f '${Version}' libgtest-dev)"
} > /opt/assay/manifest.txt
