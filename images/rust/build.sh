# Makes the Rust toolchain image out of the base; run as root with the network, under `sh -eu`.
echo '::step:: debian packages'
apt-get update -qq
grep -v '^#' packages.txt | xargs apt-get install -y -qq --no-install-recommends
apt-get clean
rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin /var/log/apt /var/log/dpkg.log
rm -rf /usr/share/doc /usr/share/man
echo '::step:: manifest'
mkdir -p /opt/assay
{
    dpkg-query -W -f 'package ${Package} ${Version}\n'
    echo "toolchain rustc $(rustc --version | cut -d ' ' -f 2)"
    echo "toolchain cargo $(cargo --version | cut -d ' ' -f 2)"
} > /opt/assay/manifest.txt
