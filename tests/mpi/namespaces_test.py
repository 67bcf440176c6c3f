"""wordbridge-mpi between two machines: two network namespaces that only a wire connects."""

import os
import shutil
import subprocess
import unittest

from mpi_test import LIST, RESULTS
from ranks import PROGRAM, CommandLineTest

ADDRESSES = ["192.0.2.1", "192.0.2.2"]
# As ssh would: HOST COMMAND...
AGENT = """#!/bin/sh
case $1 in
{cases}
*) exit 255 ;;
esac
shift
exec ip netns exec "$name" unshare --uts sh -c "hostname $name; $*"
"""


def system(*command):
    """What it says where it fails; nothing where it does not."""
    try:
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    except OSError as error:
        return str(error)
    return "" if result.returncode == 0 else result.stdout.decode().strip() or f"{command[0]} failed"


@unittest.skipUnless(PROGRAM.exists() and shutil.which("mpirun"), "there is no MPI here: wordbridge-mpi is not built")
class NamespacesTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.namespaces = [f"wordbridge-{os.getpid()}-{side}" for side in "ab"]
        devices = [f"wb{os.getpid()}{side}" for side in "ab"]
        for name in self.namespaces:
            self.need("ip", "netns", "add", name)
            self.addCleanup(system, "ip", "netns", "del", name)
        self.need("ip", "link", "add", devices[0], "netns", self.namespaces[0], "type", "veth", "peer", "name",
                  devices[1], "netns", self.namespaces[1])
        for name, device, address in zip(self.namespaces, devices, ADDRESSES):
            self.need("ip", "-n", name, "address", "add", f"{address}/24", "dev", device)
            self.need("ip", "-n", name, "link", "set", "lo", "up")
            self.need("ip", "-n", name, "link", "set", device, "up")
            self.need("ip", "netns", "exec", name, "unshare", "--uts", "hostname", name)
        self.devices = devices
        cases = "\n".join(f"{address}) name={name} ;;" for address, name in zip(ADDRESSES, self.namespaces))
        self.write("agent", AGENT.format(cases=cases))
        os.chmod(self.path("agent"), 0o755)

    def need(self, *command):
        if problem := system(*command):
            self.skipTest(f"there are no rights for network namespaces here: {' '.join(command)}: {problem}")

    def received(self, side):
        """Bytes that came through the wire."""
        path = f"/sys/class/net/{self.devices[side]}/statistics/rx_bytes"
        return int(subprocess.run(["ip", "netns", "exec", self.namespaces[side], "cat", path], check=True,
                                  stdout=subprocess.PIPE).stdout)

    def test_the_files_of_one_machine(self):
        self.write("fr.vec", self.read("en.vec"))
        self.write("list.toml", LIST)
        self.succeed("hub", "list.toml", "--joint", "-o", "one")
        wire = "192.0.2.0/24"
        command = ["mpirun", "--mca", "plm_rsh_agent", self.path("agent"), "--host",
                   ",".join(f"{address}:1" for address in ADDRESSES), "-np", "2", "--bind-to", "none", "--mca", "btl",
                   "tcp,self", "--mca", "btl_tcp_if_include", wire, "--mca", "oob_tcp_if_include", wire, str(PROGRAM),
                   "hub", "list.toml", "--joint", "--threads", "1", "-o", "space"]
        environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        result = subprocess.run([self.path("agent"), ADDRESSES[0], *command], cwd=self.folder, env=environment,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                                timeout=120)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        for name in RESULTS:
            self.assertEqual(self.read(f"space/{name}"), self.read(f"one/{name}"), name)
        for side in (0, 1):
            self.assertGreater(self.received(side), 1000, "they talked through the wire")


if __name__ == "__main__":
    unittest.main()
