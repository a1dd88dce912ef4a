# Makes the Node toolchain image out of the base; run as root with the network, under `sh -eu`.
echo '::step:: debian packages'
apt-get update -qq
grep -v '^#' packages.txt | xargs apt-get install -y -qq --no-install-recommends
apt-get clean
rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin /var/log/apt /var/log/dpkg.log
rm -rf /usr/share/doc /usr/share/man
echo '::step:: vitest'
mkdir -p /opt/node /opt/task/node_modules
cp package.json package-lock.json /opt/node/
cd /opt/node
HOME=/tmp/home npm ci --ignore-scripts --no-audit --no-fund --no-update-notifier --silent --cache /tmp/npm
rm -rf /tmp/npm /tmp/home
ln -s /opt/node/node_modules/vitest /opt/task/node_modules/vitest
ln -s /opt/task/node_modules /node_modules
echo '::step:: manifest'
mkdir -p /opt/assay
{
    dpkg-query -W -f 'package ${Package} ${Version}\n'
    for module in vitest vite esbuild; do
        echo "toolchain $module $(node -p "require('/opt/node/node_modules/$module/package.json').version")"
    done
    echo "toolchain node $(node -p process.versions.node)"
} > /opt/assay/manifest.txt
