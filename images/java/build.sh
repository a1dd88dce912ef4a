# Makes the Java toolchain image out of the base; run as root with the network, under `sh -eu`.
echo '::step:: debian packages'
apt-get update -qq
grep -v '^#' packages.txt | xargs apt-get install -y -qq --no-install-recommends
apt-get clean
rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin /var/log/apt /var/log/dpkg.log
echo '::step:: compiler and launcher'
jars=''
for name in jupiter-api jupiter-engine jupiter-params platform-commons platform-engine platform-launcher; do
    jars="$jars:/usr/share/java/junit-$name.jar"
done
jars="${jars#:}:/usr/share/java/opentest4j.jar:/usr/share/java/apiguardian-api.jar"
jars="$jars:/usr/share/java/univocity-parsers.jar"
work=/tmp/java
mkdir -p /opt/java "$work/classes" "$work/sample"
javac -d "$work/classes" -cp "$jars" -encoding UTF-8 Compile.java Launch.java Sample.java
jar --create --file /opt/java/assay.jar --date 2026-01-01T00:00:00Z -C "$work/classes" .
printf '%s' "/opt/java/assay.jar:$jars" > /opt/java/classpath
echo '::step:: loaded classes'
flags='-XX:TieredStopAtLevel=1 -XX:+UseSerialGC'
printf -- '-proc:none\t-g\t-d\t%s/sample\t-cp\t%s\nSample.java\n\n' "$work" "$jars" \
    | java $flags -XX:ArchiveClassesAtExit=/opt/java/compile.jsa -cp /opt/java/assay.jar assay.Compile
java $flags -XX:ArchiveClassesAtExit=/opt/java/launch.jsa -cp "$(cat /opt/java/classpath)" \
    assay.Launch "$work/told" assay.Sample sample
cat "$work/told"
grep -q '^end 0 passed ' "$work/told"
rm -r "$work"
echo '::step:: manifest'
mkdir -p /opt/assay
{
    dpkg-query -W -f 'package ${Package} ${Version}\n'
    echo "toolchain jdk $(java -version 2>&1 | sed -n 's/^openjdk version "\([^"]*\)".*/\1/p')"
    echo "toolchain junit $(dpkg-query -W -f '${Version}' junit5)"
} > /opt/assay/manifest.txt
