# SPDX-License-Identifier: Apache-2.0
"""Clients that do wrong: the server says what came in one line, and serves the others."""

import os
import socket
import struct
import unittest

from served import PROGRAM, TORUS, WITHOUT_FAULTS, ServedTest, wait_for

CONTROL = struct.Struct("=IIII64s")  # magic, client, type, length, data
INFO = struct.Struct("=III32s")      # id, queue pair, is a subnet manager, node
PACKET_BYTES = 288
MAGIC = 0xDEADBEEF
ERROR, CONNECT, GET_PORT, SET_IS_SM = 0, 1, 3, 9


class Client:
    """Speaks the protocol as libumad2sim does, or as it should not."""

    def __init__(self, server_name, identity=None):
        self.name = server_name
        self.identity = os.getpid() if identity is None else identity
        self.control = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.control.settimeout(60)
        self.control.bind(f"\0{server_name}:ctl{self.identity}\0")
        self.control.connect(f"\0{server_name}:ctl\0")
        self.data = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.data.bind(f"\0{server_name}:in{self.identity}\0")

    def ask(self, kind, data=b"", client=0, magic=MAGIC):
        self.control.send(CONTROL.pack(magic, client, kind, len(data), data))
        return CONTROL.unpack(self.control.recv(256))

    def attach(self, node=b"", is_sm=0):
        answer = self.ask(CONNECT, INFO.pack(self.identity, 0, is_sm, node))
        if answer[2] != ERROR:
            self.number = INFO.unpack(answer[4][:INFO.size])[0]
            self.data.connect(f"\0{self.name}:out{self.number}\0")
        return answer

    def close(self):
        self.control.close()
        self.data.close()


class BadClients(ServedTest):
    def setUp(self):
        super().setUp()
        self.name = self.environment["IBSIM_SOCKNAME"]
        self.serve(TORUS, *WITHOUT_FAULTS)

    def connect(self, identity=None):
        client = Client(self.name, identity)
        self.addCleanup(client.close)
        return client

    def expect_line(self, text):
        wait_for(lambda: text in self.server.err(), text, self.server)
        self.assertEqual(len(self.server.err().splitlines()), 1)

    def tearDown(self):
        """Whatever came: a manager still brings the fabric up."""
        self.subnet_up(self.open_sm("-R", "minhop", host="H2_2_0"))
        self.end_server()
        super().tearDown()

    def test_control_of_another_size(self):
        self.connect().control.send(b"x" * 79)
        self.expect_line("a control datagram of 79 bytes; expected 80")

    def test_control_of_another_kind_of_program(self):
        client = self.connect()
        client.control.send(CONTROL.pack(0x12345678, 0, CONNECT, 0, b""))
        self.expect_line("a control datagram that begins with 0x12345678")

    def test_unknown_control_type(self):
        client = self.connect()
        client.attach()
        self.assertEqual(client.ask(77, client=client.number)[2], ERROR)
        self.expect_line("a control datagram of type 77, which does not exist")

    def test_control_of_nobody(self):
        self.assertEqual(self.connect().ask(GET_PORT, client=7)[2], ERROR)
        self.expect_line("from client 7, which is not attached")

    def test_node_that_does_not_exist(self):
        self.assertEqual(self.connect().attach(b"H9_9_9")[2], ERROR)
        self.expect_line('asks for the end node "H9_9_9", which does not exist')

    def test_packet_of_another_size(self):
        client = self.connect()
        client.attach()
        client.data.send(b"x" * (PACKET_BYTES - 1))
        self.expect_line("a packet of 287 bytes")

    def test_packet_that_makes_no_sense(self):
        """It is sent, nobody answers, and nothing is said: so it is with a packet that gets lost."""
        client = self.connect()
        client.attach()
        client.data.send(b"\xff" * PACKET_BYTES)
        client.data.send(b"\x00" * PACKET_BYTES)
        self.assertNotEqual(client.ask(GET_PORT, client=client.number)[2], ERROR)

    def test_two_managers_at_one_end_node(self):
        first, second = self.connect(), self.connect(os.getppid())
        self.assertNotEqual(first.attach(b"H0_0_0", is_sm=1)[2], ERROR)
        self.assertNotEqual(second.attach(b"H0_0_0")[2], ERROR)
        answer = second.ask(SET_IS_SM, struct.pack("=I", 1), client=second.number)
        self.assertEqual(answer[2], ERROR)
        self.expect_line("cannot be a subnet manager")

    def test_client_that_dies_with_a_request_under_way(self):
        manager = self.open_sm("-R", "minhop")
        wait_for(lambda: "IS_SM" in manager.log(), "a manager at work", manager)
        manager.kill()
        # Its place is free for the next one at the same end node.
        second = self.open_sm("-R", "minhop")
        self.subnet_up(second)
        second.kill()

    def test_two_masters(self):
        """At two end nodes they settle it between them, by packets: one waits."""
        first = self.open_sm("-R", "minhop", "-p", "5")
        self.subnet_up(first)
        second = self.open_sm("-R", "minhop", "-p", "1", host="H1_1_0")
        wait_for(lambda: "Entering STANDBY state" in second.log(), "a standby", second, self.server)
        self.assertIn("SMINFO_MASTER", self.run_tool("sminfo"))
        second.kill()
        first.kill()

    def test_two_servers(self):
        other = self.start("other", [PROGRAM, "serve", str(TORUS)])
        self.assertEqual(other.wait(), 2)
        self.assertIn(f"cannot listen at {self.name}:ctl: Address already in use", other.err())


if __name__ == "__main__":
    unittest.main()
