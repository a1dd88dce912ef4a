# Bash is in the base: this only says which.
mkdir -p /opt/assay
{
    dpkg-query -W -f 'package ${Package} ${Version}\n'
    echo "toolchain bash $(bash -c 'echo "$BASH_VERSION"')"
} > /opt/assay/manifest.txt
