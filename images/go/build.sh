# Makes the Go toolchain image out of the base; run as root with the network, under `sh -eu`.
echo '::step:: debian packages'
apt-get update -qq
grep -v '^#' packages.txt | xargs apt-get install -y -qq --no-install-recommends
apt-get clean
rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin /var/log/apt /var/log/dpkg.log
echo '::step:: manifest'
mkdir -p /opt/assay /opt/go/mod
{
    dpkg-query -W -f 'package ${Package} ${Version}\n'
    echo "toolchain go $(env -i HOME=/tmp PATH=/usr/bin:/bin GOTOOLCHAIN=local go env GOVERSION | sed 's/^go//')"
} > /opt/assay/manifest.txt
